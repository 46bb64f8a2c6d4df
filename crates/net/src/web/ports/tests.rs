#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

/// The list of the Fetch Standard, "port blocking".
const BAD: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

#[test]
fn no_service_is_spoken_to() {
    let databases = [1433, 1521, 3306, 5432, 5984, 6379, 7687, 9042, 9200, 9300, 11211, 27017, 27018, 27019, 28015];
    let clusters = [2181, 2375, 2376, 2379, 2380, 5672, 6443, 8500, 9092, 10250, 10255, 61616];
    let others = [88, 445, 873, 1080, 1883, 3128, 3389, 3690, 5900, 5901, 5985, 6001, 6063, 9050, 9100, 9418];
    for port in BAD.iter().chain(&databases).chain(&clusters).chain(&others) {
        assert!(service(*port).is_some(), "{port}");
    }
}

#[test]
fn web_servers_are() {
    for port in
        [80, 81, 443, 3000, 4200, 5000, 5173, 8000, 8008, 8080, 8081, 8088, 8443, 8888, 9000, 9443, 10443, 49152, 65535]
    {
        assert_eq!(service(port), None, "{port}");
    }
}

#[test]
fn the_ranges_do_not_cross() {
    for pair in SERVICES.windows(2) {
        assert!(pair[0].0 <= pair[0].1 && pair[0].1 < pair[1].0, "{pair:?}");
    }
}
