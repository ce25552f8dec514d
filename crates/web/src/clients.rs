//! Clients by their address, so that none of them can exhaust shared resources.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Semaphore;

use crate::lock::lock;

/// The address of a client; of IPv6 the /64 network, because one machine may use all its addresses. Clients behind a
/// proxy count as one, because any client can forge a header that names another address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn of(address: SocketAddr) -> Client {
        Client(match address.ip().to_canonical() {
            IpAddr::V6(ip) if !ip.is_loopback() => {
                IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)))
            }
            ip => ip,
        })
    }

    /// Whether it runs on this machine, like a proxy that serves many clients.
    pub(crate) fn is_local(self) -> bool {
        let Client(address) = self;
        address.is_loopback()
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Client(address) = self;
        address.fmt(f)
    }
}

/// A semaphore for each client that holds a permit or waits for one.
pub(crate) struct PerClient {
    permits: usize,
    semaphores: Mutex<HashMap<Client, Weak<Semaphore>>>,
}

impl PerClient {
    /// Creates semaphores with `permits` permits for each client.
    pub(crate) fn new(permits: usize) -> PerClient {
        PerClient { permits, semaphores: Mutex::default() }
    }

    pub(crate) fn semaphore(&self, client: Client) -> Arc<Semaphore> {
        let mut semaphores = lock(&self.semaphores);
        if let Some(known) = semaphores.get(&client).and_then(Weak::upgrade) {
            return known;
        }
        semaphores.retain(|_, semaphore| semaphore.strong_count() > 0);
        let semaphore = Arc::new(Semaphore::new(self.permits));
        semaphores.insert(client, Arc::downgrade(&semaphore));
        semaphore
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::of(address.parse().expect("an address"))
    }

    #[test]
    fn a_client_is_an_address_without_its_port() {
        assert_eq!(client("192.168.0.2:1"), client("192.168.0.2:2"));
        assert_eq!(client("192.168.0.2:1"), client("[::ffff:192.168.0.2]:1"));
        assert_ne!(client("192.168.0.2:1"), client("192.168.0.3:1"));
        assert_eq!(client("[2001:db8:0:1::5]:1"), client("[2001:db8:0:1:ffff::6]:1"));
        assert_ne!(client("[2001:db8:0:1::5]:1"), client("[2001:db8:0:2::5]:1"));
    }

    #[test]
    fn every_client_has_permits_while_it_uses_them() {
        let clients = PerClient::new(1);
        let (one, other) = (client("10.0.0.1:1"), client("10.0.0.2:1"));
        let held = clients.semaphore(one).try_acquire_owned().expect("a permit");
        assert!(clients.semaphore(one).try_acquire_owned().is_err());
        assert!(clients.semaphore(other).try_acquire_owned().is_ok());
        drop(held);
        assert!(clients.semaphore(one).try_acquire_owned().is_ok());
        assert_eq!(lock(&clients.semaphores).len(), 1, "those that hold nothing are forgotten");
    }
}
