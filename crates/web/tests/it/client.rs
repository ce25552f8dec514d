//! A minimal client: requests with a body, and streams of events.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::Running;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|err| panic!("{err}: {} {}", self.status, self.text()))
    }

    /// The JSON of a successful request.
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        self.json()
    }

    /// The text of a request that was refused with this status.
    pub(crate) fn refused(&self, status: u16) -> String {
        let json = self.json();
        let error = json["error"].as_str().unwrap_or_else(|| panic!("no error in {json}")).to_owned();
        assert_eq!(self.status, status, "{error}");
        assert!(!error.contains('\n'), "{error}");
        error
    }
}

/// The events of a stream; the connection is closed when it is dropped.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// The next event: its name and its data; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            let n = self.0.read_line(&mut line).expect("a stream that is not broken");
            if n == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                data += text;
            } else if line.is_empty() && !name.is_empty() {
                let value = serde_json::from_str(&data).unwrap_or_else(|err| panic!("{err}: {data}"));
                return Some((name, value));
            }
        }
    }

    /// The data of the last event, which must have this name.
    pub(crate) fn last(mut self, name: &str) -> Value {
        let mut last = None;
        while let Some(event) = self.next() {
            last = Some(event);
        }
        let (found, data) = last.expect("an event");
        assert_eq!(found, name, "{data}");
        data
    }
}

impl Running {
    fn send(&self, head: &str, headers: &str, body: &[u8]) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        let host = if headers.to_ascii_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        // HTTP/1.0: without chunks, to the end of the connection.
        let head = format!("{head} HTTP/1.0\r\n{host}{headers}Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).expect("the server reads");
        // A server that refuses a large body may stop reading it.
        let _ = stream.write_all(body);
        BufReader::new(stream)
    }

    fn head(reader: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status");
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status in {line:?}"));
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            let Some((name, value)) = line.trim_end().split_once(": ") else { return (status, headers) };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
    }

    pub(crate) fn request(&self, head: &str, headers: &str, body: &[u8]) -> Answer {
        let mut reader = self.send(head, headers, body);
        let (status, headers) = Running::head(&mut reader);
        let mut body = Vec::new();
        let _ = reader.read_to_end(&mut body);
        Answer { status, headers, body }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path}"), "", b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request(&format!("POST {path}"), "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    fn events_of(mut reader: BufReader<TcpStream>) -> Events {
        let (status, _) = Running::head(&mut reader);
        if status != 200 {
            let mut body = String::new();
            let _ = reader.read_to_string(&mut body);
            panic!("{status} {body}");
        }
        Events(reader)
    }

    /// The events of `GET path`.
    pub(crate) fn events(&self, path: &str) -> Events {
        Running::events_of(self.send(&format!("GET {path}"), "", b""))
    }

    /// The stream of events that answers a request.
    pub(crate) fn post_for_events(&self, path: &str, body: &Value) -> Events {
        Running::events_of(self.send(&format!("POST {path}"), "", body.to_string().as_bytes()))
    }

    /// Requests work, and returns the path of its events.
    pub(crate) fn asked(&self, path: &str, body: &Value) -> String {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 202, "{}", answer.text());
        format!("{path}/{}", answer.json()["id"].as_str().expect("an id"))
    }
}
