//! What a bridged sandbox may reach.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

/// Addresses and ports that a bridged sandbox may open connections to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Allowed {
    address: Ipv4Addr,
    prefix: u8,
    ports: Option<(u16, u16)>,
}

/// Why a text says nothing that could be allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` {why}; write an IPv4 address or network with or without ports, as in `10.0.0.0/8:443` or `192.0.2.7:8000-8080`"
)]
pub struct BadAllowed {
    text: String,
    why: &'static str,
}

impl Allowed {
    /// Whether it names one address: only such an entry opens what is closed otherwise.
    pub(crate) fn is_one_address(&self) -> bool {
        self.prefix == 32
    }

    /// What packets it is about, in the words of nft.
    pub(crate) fn matches(&self) -> String {
        let to = format!("ip daddr {}/{}", self.address, self.prefix);
        match self.ports {
            None => to,
            Some((first, last)) => format!("{to} meta l4proto {{ tcp, udp }} th dport {first}-{last}"),
        }
    }
}

impl FromStr for Allowed {
    type Err = BadAllowed;

    fn from_str(text: &str) -> Result<Self, BadAllowed> {
        let bad = |why| BadAllowed { text: text.to_owned(), why };
        if text.matches(':').count() > 1 {
            return Err(bad("is not IPv4, and nothing else is carried"));
        }
        let (network, ports) =
            text.split_once(':').map_or((text, None), |(network, ports)| (network, Some(ports)));
        let (address, prefix) = network.split_once('/').unwrap_or((network, "32"));
        let address: Ipv4Addr = address.parse().map_err(|_| bad("names no address"))?;
        let prefix = prefix
            .parse()
            .ok()
            .filter(|prefix| *prefix <= 32)
            .ok_or_else(|| bad("has no prefix from 0 to 32"))?;
        let port = |text: &str| {
            text.parse().ok().filter(|port: &u16| *port > 0).ok_or_else(|| bad("has no port from 1 to 65535"))
        };
        let ports = ports.map(|text| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last) = (port(first)?, port(last)?);
            if first > last { Err(bad("has its ports the wrong way round")) } else { Ok((first, last)) }
        });
        Ok(Self { address, prefix, ports: ports.transpose()? })
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)?;
        if self.prefix < 32 {
            write!(f, "/{}", self.prefix)?;
        }
        match self.ports {
            None => Ok(()),
            Some((first, last)) if first == last => write!(f, ":{first}"),
            Some((first, last)) => write!(f, ":{first}-{last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_as_they_are_written() {
        for text in ["10.0.0.0/8", "192.0.2.7", "192.0.2.7:443", "0.0.0.0/0:8000-8080"] {
            assert_eq!(text.parse::<Allowed>().expect(text).to_string(), text);
        }
        for (text, part) in [
            ("example.org", "names no address"),
            ("10.0.0.0/33", "prefix"),
            ("10.0.0.1:0", "port"),
            ("10.0.0.1:9-8", "wrong way round"),
            ("2001:db8::1", "not IPv4"),
        ] {
            let error = text.parse::<Allowed>().expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
