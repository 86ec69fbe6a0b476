//! Which Internet addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public (IANA IPv4 Special-Purpose Address Registry), with the length of their
/// prefixes, and the address at which Azure serves the metadata of its machines.
const RESERVED_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([168, 63, 129, 16], 32),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// IPv6 networks within the global unicast range 2000::/3 that are not public or lead to IPv4 addresses
/// that was not checked (IANA IPv6 Special-Purpose Address Registry; 2002::/16 is 6to4).
const RESERVED_V6: &[([u16; 2], u32)] =
    &[([0x2001, 0], 23), ([0x2001, 0xdb8], 32), ([0x2002, 0], 16), ([0x3fff, 0], 20)];

/// Whether an address belongs to a host on the public Internet: not private, loopback, link-local, metadata
/// service, shared, documentation, multicast or reserved, and no IPv6 form of an IPv4 address, but for NAT64
/// (RFC 6052), where the IPv4 address inside counts.
///
/// ```
/// assert!(kernel::address::is_public("93.184.215.14".parse().unwrap()));
/// assert!(!kernel::address::is_public("169.254.169.254".parse().unwrap()));
/// assert!(!kernel::address::is_public("::ffff:93.184.215.14".parse().unwrap()));
/// ```
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |(network, length): &([u8; 4], u32)| {
        (u32::from(address) ^ u32::from_be_bytes(*network)) >> (32 - length) == 0
    };
    !RESERVED_V4.iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    if [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [g, h] = [g, h].map(u16::to_be_bytes);
        return is_public_v4(Ipv4Addr::new(g[0], g[1], h[0], h[1]));
    }
    let start = u32::from(a) << 16 | u32::from(b);
    let within = |([first, second], length): &([u16; 2], u32)| {
        (start ^ (u32::from(*first) << 16 | u32::from(*second))) >> (32 - length) == 0
    };
    a >> 13 == 1 && !RESERVED_V6.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for public in [
            "1.1.1.1",
            "93.184.215.14",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.17",
            "192.0.1.0",
            "2606:4700:4700::1111",
            "2a00:1450:4003::200e",
            "2001:200::1",
            "64:ff9b::5db8:d70e",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for inside in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:1.1.1.1",
            "::ffff:0:1.1.1.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:101:101::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
        ] {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
    }
}
