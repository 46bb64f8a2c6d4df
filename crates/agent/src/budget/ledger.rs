//! Limits and usage of a tree of runs: one account for each run, each inside its parent's account.
//!
//! Nothing is spent without a reservation: a model call reserves its input and its maximum output in its own account and in
//! every account above it, or in none. So parallel runs never exceed a limit together, as long as no model uses more than the
//! estimate; if one does, actual usage is settled, leaving less for the next reservation. Dropping a reservation releases it.

use super::account::{Account, Held, Picodollars};
use super::over::{Lasting, Limited, Over};
use crate::report::Costs;
use palanca_models::{Lookup, Usage};
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// What a model call was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A step.
    Agent,
    /// Last words, or the summary of what leaves the conversation.
    Summary,
    /// An agent that works for this one: what its own account says `Agent` or `Summary` of.
    Subagent,
}

/// What one account may use. Not set: nothing but the accounts above it limits it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allowance {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// US dollars. Under such a limit a model without a known price is not asked.
    pub dollars: Option<f64>,
    /// Model calls.
    pub calls: Option<u32>,
    /// When everything must be over. One that is later than the account above allows counts as that one.
    pub deadline: Option<Instant>,
}

/// What a model call will need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestEstimate {
    /// Estimated input tokens, rather too many than too few.
    pub input: u64,
    /// Tokens of the shortest useful answer; with less, no request is sent.
    pub least_output: u64,
    /// Maximum answer length in tokens.
    pub most_output: u64,
    /// What they cost.
    pub price: Lookup,
}

/// An account. A clone is the same account.
#[derive(Clone, Debug)]
pub struct Ledger(Arc<Node>);

#[derive(Debug)]
struct Node {
    above: Option<Ledger>,
    allowance: Allowance,
    account: Mutex<Account>,
    /// Told whenever something becomes free; the same in a whole tree.
    freed: Arc<Notify>,
}

impl Ledger {
    /// The account of a run without a parent account.
    #[must_use]
    pub fn root(allowance: Allowance) -> Self {
        Self::going_on(allowance, Costs::default(), 0)
    }

    /// The account of a run that goes on: what was used before counts against the limits.
    #[must_use]
    pub fn going_on(allowance: Allowance, spent: Costs, calls: u32) -> Self {
        let account = Mutex::new(Account::new(spent, calls));
        Self(Arc::new(Node { above: None, allowance, account, freed: Arc::default() }))
    }

    /// An account within this one.
    #[must_use]
    pub fn child(&self, allowance: Allowance) -> Self {
        let deadline = [allowance.deadline, self.deadline()].into_iter().flatten().min();
        Self(Arc::new(Node {
            above: Some(self.clone()),
            allowance: Allowance { deadline, ..allowance },
            account: Mutex::default(),
            freed: Arc::clone(&self.0.freed),
        }))
    }

    /// What was used so far, by this run and those that it started.
    #[must_use]
    pub fn spent(&self) -> Costs {
        self.account().costs.clone()
    }

    /// Model calls that were made.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.account().calls
    }

    /// Tokens that are set aside now.
    #[must_use]
    pub fn reserved_tokens(&self) -> u64 {
        self.account().held.tokens
    }

    /// Dollars that are set aside now.
    #[must_use]
    pub fn reserved_dollars(&self) -> f64 {
        self.account().held.money.dollars()
    }

    /// The limits of this account alone.
    #[must_use]
    pub fn allowance(&self) -> &Allowance {
        &self.0.allowance
    }

    /// When everything must be over.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.0.allowance.deadline
    }

    /// What is left until then.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Tokens that may still be set aside: the least of what this account and those above have.
    #[must_use]
    pub fn tokens_left(&self) -> Option<u64> {
        let room =
            |ledger: &Self| ledger.0.allowance.tokens.map(|limit| limit.saturating_sub(ledger.account().tokens()));
        self.chain().filter_map(|ledger| room(&ledger)).min()
    }

    /// Why nothing more may be spent: what was really used has passed a limit, here or above.
    #[must_use]
    pub fn overspent(&self) -> Option<Limited> {
        self.chain().find_map(|ledger| {
            let (allowance, account) = (&ledger.0.allowance, ledger.account());
            if allowance.tokens.is_some_and(|limit| account.costs.total_tokens > limit) {
                return Some(Limited::Tokens);
            }
            let limit = allowance.dollars.map(Picodollars::of_limit);
            limit.is_some_and(|limit| account.money > limit).then_some(Limited::Dollars)
        })
    }

    /// Sets aside what a model call needs, in this account and in every one above it.
    ///
    /// # Errors
    /// [`Over`]: which limit is in the way, and whether it will still be when others have settled.
    pub fn reserve(&self, estimate: &RequestEstimate) -> Result<Reservation, Over> {
        let chain: Vec<Self> = self.chain().collect();
        // Locked from the inside out: two accounts below one another are never locked the other way round.
        let mut accounts: Vec<MutexGuard<'_, Account>> = chain.iter().map(Self::account).collect();
        let mut output = None;
        for (ledger, account) in chain.iter().zip(&accounts) {
            let granted = ledger.0.allowance.grant(account, estimate)?;
            output = [output, granted].into_iter().flatten().min();
        }
        let held = Held::of(estimate, output.unwrap_or(0));
        accounts.iter_mut().for_each(|account| account.hold(&held));
        drop(accounts);
        Ok(Reservation { ledger: self.clone(), held: Some(held), output })
    }

    /// As [`Ledger::reserve`], but waits while only what others have set aside is in the way.
    ///
    /// # Errors
    /// [`Over`] when waiting does not help.
    pub async fn reserve_in_turn(&self, estimate: &RequestEstimate) -> Result<Reservation, Over> {
        loop {
            let mut freed = std::pin::pin!(self.0.freed.notified());
            // Before the attempt, so that nothing that is freed in between is missed.
            freed.as_mut().enable();
            match self.reserve(estimate) {
                Err(over) if over.lasting == Lasting::UntilOthersSettle => freed.await,
                settled => return settled,
            }
        }
    }

    /// This account and those above it.
    fn chain(&self) -> impl Iterator<Item = Self> + use<> {
        std::iter::successors(Some(self.clone()), |ledger| ledger.0.above.clone())
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.0.account.lock()
    }
}

impl Default for Ledger {
    fn default() -> Self {
        Self::root(Allowance::default())
    }
}

impl Allowance {
    /// The longest answer that these limits allow; none where they do not limit it.
    fn grant(&self, account: &Account, estimate: &RequestEstimate) -> Result<Option<u64>, Over> {
        let over = |what, lasting| Over {
            what,
            lasting,
            allowance: *self,
            used_tokens: account.costs.total_tokens,
            used_dollars: account.money.dollars(),
            needed: estimate.input.saturating_add(estimate.least_output),
        };
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(over(Limited::Time, Lasting::ForGood));
        }
        if let Some(limit) = self.calls.filter(|limit| account.calls + account.held.calls >= *limit) {
            let lasting = if account.calls >= limit { Lasting::ForGood } else { Lasting::UntilOthersSettle };
            return Err(over(Limited::Calls, lasting));
        }
        let by_tokens = self.tokens.map(|limit| {
            let longest = |used: u64| limit.checked_sub(used)?.checked_sub(estimate.input);
            (Limited::Tokens, longest(account.tokens()), longest(account.costs.total_tokens))
        });
        let by_money = match (self.dollars, estimate.price) {
            (None, _) => None,
            (Some(_), Lookup::Unknown) => return Err(over(Limited::Price, Lasting::ForGood)),
            (Some(_), Lookup::Known(price)) if price.is_free() => None,
            (Some(limit), Lookup::Known(price)) => {
                let limit = Picodollars::of_limit(limit);
                let longest =
                    |used: Picodollars| limit.checked_sub(used)?.checked_sub(input(estimate))?.buys(price.output);
                Some((Limited::Dollars, longest(account.money_and_held()), longest(account.money)))
            }
        };
        let mut granted: Option<u64> = None;
        for (what, now, at_best) in by_tokens.into_iter().chain(by_money) {
            let enough = |longest: &Option<u64>| longest.is_some_and(|longest| longest >= estimate.least_output);
            match now.filter(|longest| enough(&Some(*longest))) {
                Some(longest) => {
                    let longest = longest.min(estimate.most_output);
                    granted = Some(granted.map_or(longest, |granted| granted.min(longest)));
                }
                None if enough(&at_best) => return Err(over(what, Lasting::UntilOthersSettle)),
                None => return Err(over(what, Lasting::ForGood)),
            }
        }
        Ok(granted)
    }
}

fn input(estimate: &RequestEstimate) -> Picodollars {
    Picodollars::of(estimate.price, estimate.input, 0)
}

/// What is set aside for one model call. Dropped, it gives everything back.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    ledger: Ledger,
    held: Option<Held>,
    output: Option<u64>,
}

impl Reservation {
    /// The longest answer that is paid for, in tokens; none where nothing limits it. The model must be held to it.
    #[must_use]
    pub const fn output(&self) -> Option<u64> {
        self.output
    }

    /// Enters what was really used in place of what was set aside. `dollars` is none where the price is not known.
    pub fn settle(mut self, source: Source, usage: &Usage, dollars: Option<f64>) {
        let held = self.held.take().unwrap_or_default();
        let mut source = source;
        for ledger in self.ledger.chain() {
            let mut account = ledger.account();
            account.release(&held);
            account.enter(source, usage, dollars);
            source = Source::Subagent;
        }
        self.ledger.0.freed.notify_waiters();
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let Some(held) = self.held.take() else { return };
        for ledger in self.ledger.chain() {
            ledger.account().release(&held);
        }
        self.ledger.0.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
