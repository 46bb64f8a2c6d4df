//! Times as calls give them: nanoseconds, or unchanged.

use super::Supervisor;
use super::request::Unit;
use rustix::fs::{Timespec, Timestamps, UTIME_NOW};
use rustix::io::Errno;

impl Supervisor {
    pub(super) fn times(&self, address: u64) -> Result<Timestamps, Errno> {
        if address == 0 {
            return Ok(now());
        }
        let numbers = self.numbers::<4>(address)?;
        let [access, access_nanos, change, change_nanos] = numbers;
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        Ok(Timestamps { last_access: time(access, access_nanos), last_modification: time(change, change_nanos) })
    }

    pub(super) fn old_times(&self, address: u64, unit: Unit) -> Result<Timestamps, Errno> {
        if address == 0 {
            return Ok(now());
        }
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        let (last_access, last_modification) = match unit {
            Unit::Seconds => {
                let [access, change] = self.numbers::<2>(address)?;
                (time(access, 0), time(change, 0))
            }
            Unit::Microseconds => {
                let [access, access_micros, change, change_micros] = self.numbers::<4>(address)?;
                let nanos =
                    |micros: i64| if (0..1_000_000).contains(&micros) { Ok(micros * 1000) } else { Err(Errno::INVAL) };
                (time(access, nanos(access_micros)?), time(change, nanos(change_micros)?))
            }
        };
        Ok(Timestamps { last_access, last_modification })
    }

    fn numbers<const N: usize>(&self, address: u64) -> Result<[i64; N], Errno> {
        let bytes = self.caller.bytes(address, N * 8)?;
        let mut numbers = [0; N];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
            *number = i64::from_ne_bytes(bytes.try_into().map_err(|_| Errno::FAULT)?);
        }
        Ok(numbers)
    }
}

fn now() -> Timestamps {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    Timestamps { last_access: now, last_modification: now }
}
