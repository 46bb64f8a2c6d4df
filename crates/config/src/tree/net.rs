//! The network door: `net`.

use super::section::section;

section! {
    /// Which hosts a call may reach. What is no public web server's is refused whatever stands here.
    NetSettings {
        /// Hosts that calls may reach: `*` for every public one, `example.com`, `*.example.com` for the names below it,
        /// each with `:port` or without. An empty list allows none.
        allow_hosts: Vec<String> = vec!["*".to_owned()],
        /// Hosts that nothing reaches, search providers included: a name with all names below it, `*.example.com`, an
        /// address or a net (`198.51.100.0/24`) with all names that lead there.
        deny_hosts: Vec<String> = Vec::new(),
        /// Hosts that may be private: exact names or addresses, such as `wiki.corp:8443`. No file of the workspace may
        /// set this.
        private_hosts: Vec<String> = Vec::new(),
        /// Requests to one host in a second; twice as many may come at once after a quiet time.
        #[schemars(range(min = 1, max = 1000))]
        requests_per_second: u32 = 10,
    }
}
