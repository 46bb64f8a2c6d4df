#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

fn of(address: &str) -> Reachability {
    reachability(address.parse().unwrap())
}

#[test]
fn public_addresses_pass_up_to_the_edges_of_the_tables() {
    for address in [
        "1.0.0.0",
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "93.184.215.14",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "168.63.129.15",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2000::1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2001:db7:ffff::1",
        "2001:db9::1",
        "2003::1",
        "2606:4700:4700::1111",
        "2620:4f:8000::1",
        "2a00:1450:4001::1",
        "3ffd:ffff::1",
        "3fff:1000::1",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2606:4700::5efe:808:808",
    ] {
        assert_eq!(of(address), Reachability::Public, "{address}");
    }
}

#[test]
fn no_special_address_passes_in_any_form() {
    for address in [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "100.100.100.200",
        "127.0.0.0",
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.9",
        "192.0.0.170",
        "192.0.0.255",
        "192.0.2.0",
        "192.0.2.255",
        "192.88.99.0",
        "192.88.99.255",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.0",
        "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.254",
        "255.255.255.255",
        // Unspecified, loopback, and what is no unicast.
        "::",
        "::1",
        "::2",
        "ff00::",
        "ff02::1",
        "ff05::1:3",
        "ffff::1",
        // Mapped, compatible, translated.
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0.0.0.0",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:0:127.0.0.1",
        "::ffff:0:8.8.8.8",
        // NAT64, well-known and local.
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b::0.0.0.0",
        "64:ff9b:1::7f00:1",
        "64:ff9b:1::808:808",
        "64:ff9b:1:ffff::1",
        "64:ff9b:2::1",
        "64:ff9b:0:0:0:1:808:808",
        // 6to4 and Teredo, whatever they hold.
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2002:808:808::1",
        "2002:ffff::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "2001:0:808:808:0:ffff:f7f7:f7f7",
        // ISATAP.
        "2606:4700::5efe:7f00:1",
        "2606:4700::200:5efe:a00:1",
        "2606:4700::200:5efe:a9fe:a9fe",
        "fe80::5efe:808:808",
        // The rest of the tables.
        "100::1",
        "100::ffff:1",
        "2001:1::1",
        "2001:2::1",
        "2001:3::1",
        "2001:10::1",
        "2001:20::1",
        "2001:30::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2001:db8:ffff::1",
        "3ffe::1",
        "3fff::1",
        "3fff:fff:ffff::1",
        "5f00::1",
        "fc00::1",
        "fd00::1",
        "fdff:ffff::1",
        "fd00:ec2::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "feff::1",
        // Not assigned.
        "200::1",
        "1fff::1",
        "4000::1",
        "8000::1",
        "fbff::1",
    ] {
        assert_ne!(of(address), Reachability::Public, "{address}");
    }
}

#[test]
fn what_an_operator_can_allow_is_private_and_no_more() {
    for address in
        ["10.1.2.3", "127.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "::1", "fd12::1", "::ffff:127.0.0.1"]
    {
        assert!(matches!(of(address), Reachability::Private(_)), "{address}");
    }
    for address in [
        "0.0.0.0",
        "169.254.169.254",
        "100.100.100.200",
        "224.0.0.1",
        "255.255.255.255",
        "fe80::1",
        "ff02::1",
        "fd00:ec2::254",
        "::",
        "64:ff9b::169.254.169.254",
        "::ffff:169.254.169.254",
    ] {
        assert!(matches!(of(address), Reachability::Never(_)), "{address}");
    }
}

#[test]
fn a_mapped_address_is_used_as_the_one_that_it_holds() {
    assert_eq!(effective("::ffff:8.8.8.8".parse().unwrap()), "8.8.8.8".parse::<IpAddr>().unwrap());
    assert_eq!(effective("::8.8.8.8".parse().unwrap()), "::8.8.8.8".parse::<IpAddr>().unwrap());
}

#[test]
fn the_rows_are_nets() {
    for (net, length, _, rule) in V4 {
        let rest = u32::MAX.checked_shr(u32::from(*length)).unwrap_or(0);
        assert_eq!(net & rest, 0, "{rule}: bits behind its length");
    }
    for (net, length, _, rule) in V6 {
        let rest = u128::MAX.checked_shr(u32::from(*length)).unwrap_or(0);
        assert_eq!(net & rest, 0, "{rule}: bits behind its length");
    }
}
