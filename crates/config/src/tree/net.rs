//! The network door: `net`.

use super::section::section;

section! {
    /// Which hosts a call may reach. Other than public web servers, hosts are refused regardless of these keys, except
    /// `private_hosts`.
    NetSettings {
        /// Hosts that calls may reach: `*` for all public hosts, `example.com`, `*.example.com` for the names below it,
        /// each with or without `:port`. An empty list allows none.
        allow_hosts: Vec<String> = vec!["*".to_owned()],
        /// Hosts that are never reached, search providers included: a name with all names below it, `*.example.com`, an
        /// address or network (`198.51.100.0/24`) with all names that resolve to it.
        deny_hosts: Vec<String> = Vec::new(),
        /// Hosts that may be private: exact names or addresses, such as `wiki.corp:8443`. No file of the workspace may
        /// set this.
        private_hosts: Vec<String> = Vec::new(),
        /// Requests per second to one host, in bursts of up to twice as many after a quiet time.
        #[schemars(range(min = 1, max = 1000))]
        requests_per_second: u32 = 10,
    }
}
