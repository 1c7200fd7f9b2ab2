// SPDX-License-Identifier: MIT
//
// Datagrams of a page: each socket has a WebRTC data channel to each address that it sends to, and the answer to its
// offer is made here from the address and the certificate, as PROTOCOL.md says in "Over WebRTC". To a program beside the
// page (child.js), which has a port of this machine, they are messages. udp.c calls these.
mergeInto(LibraryManager.library, {
  $udpSockets: [], // by their number less 1
  $udpSilentMs: 300, // without an answer, after which a channel is no longer trusted
  $udpOpenMs: 1500, // that a channel may take to open, before another one is tried beside it

  $udpTake__deps: ["$udpSockets", "$pageArrival"],
  $udpTake: function(socket, address, bytes) {
    if (socket && socket.received.length < 4096)
      socket.received.push({ address, bytes, arrived: Date.now() });
    pageArrival();
  },

  // The program beside the page that has this address.
  $udpNear__deps: ["$children"],
  $udpNear: function(address) {
    const port = address[4] << 8 | address[5];
    return address.length === 6 && address[0] === 127 && children.find((child) => child && child.port === port);
  },

  // An address is 4 or 16 bytes and 2 of port, as struct net_address has them.
  $udpAddress: function(bytes) {
    const port = bytes[bytes.length - 2] << 8 | bytes[bytes.length - 1];
    if (bytes.length === 6)
      return { text: bytes.slice(0, 4).join("."), family: "IP4", port };
    const words = [];
    for (let i = 0; i < 16; i += 2)
      words.push((bytes[i] << 8 | bytes[i + 1]).toString(16));
    return { text: words.join(":"), family: "IP6", port };
  },

  $udpAnswer__deps: ["$udpAddress"],
  $udpAnswer: function(address, certificate) {
    const { text, family, port } = udpAddress(address);
    const letters = atob(certificate.replace(/-/g, "+").replace(/_/g, "/"));
    const fingerprint = Array.from(letters, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0"));
    const word = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return ["v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=group:BUNDLE 0", "a=ice-lite",
      `m=application ${port} UDP/DTLS/SCTP webrtc-datachannel`, `c=IN ${family} ${text}`, "a=mid:0", `a=ice-ufrag:${word}`,
      `a=ice-pwd:${word}`, `a=fingerprint:sha-256 ${fingerprint.join(":").toUpperCase()}`, "a=setup:passive", "a=sctp-port:5000",
      "a=max-message-size:1232", `a=candidate:1 1 udp 2130706431 ${text} ${port} typ host`, "a=end-of-candidates", ""].join("\r\n");
  },

  // A channel that opens, is open, or has failed. What is sent before it opens waits, as far as there is room. `asked`: since
  // when it has no answer; 0: it has one.
  $udpChannel__deps: ["$udpAnswer", "$udpDrop", "$udpHeard", "$udpOpenMs", "$udpSilentMs", "$udpTake"],
  $udpChannel: function(socket, address) {
    const peer = new RTCPeerConnection();
    const data = peer.createDataChannel("game", { ordered: false, maxRetransmits: 0, negotiated: true, id: 0 });
    const channel = { peer, data, waiting: [], asked: 0, patience: udpOpenMs, next: null };
    data.binaryType = "arraybuffer";
    data.onopen = () => {
      channel.asked = 0;
      channel.patience = udpSilentMs;
      channel.waiting.splice(0).forEach((bytes) => data.send(bytes));
    };
    data.onmessage = (event) => {
      udpHeard(socket, address, channel);
      udpTake(socket, address, new Uint8Array(event.data));
    };
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === "failed" || peer.connectionState === "closed")
        udpDrop(socket, address, channel);
    };
    data.onclose = () => udpDrop(socket, address, channel);
    peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      .then(() => peer.setRemoteDescription({ type: "answer", sdp: udpAnswer(address, socket.certificate) }))
      .catch((reason) => console.warn(`no data channel: ${reason}`));
    return channel;
  },

  // The first of two channels to answer stays.
  $udpHeard: function(socket, address, channel) {
    const current = socket.channels.get(address.join());
    if (current && current.next === channel) {
      socket.channels.set(address.join(), channel);
      current.next = null;
      current.peer.close();
    } else if (channel.next) {
      channel.next.peer.close();
      channel.next = null;
    }
    channel.asked = 0;
    channel.patience = udpSilentMs;
  },

  $udpDrop: function(socket, address, channel) {
    const current = socket.channels.get(address.join());
    if (current === channel && channel.next)
      socket.channels.set(address.join(), channel.next);
    else if (current === channel)
      socket.channels.delete(address.join());
    else if (current && current.next === channel)
      current.next = null;
    channel.peer.close();
  },

  // If the server's process for browsers has been replaced, the new one does not know the channel, and nothing tells the
  // page; and on a bad line, a handshake may take seconds. So after a silence it opens another channel beside the first,
  // and sends by both. Each further try waits longer.
  $udpRenew__deps: ["$udpChannel", "$udpOpenMs"],
  $udpRenew: function(socket, address, channel) {
    const now = performance.now();
    channel.asked = channel.asked || now;
    if (now - channel.asked < channel.patience)
      return;
    if (channel.next)
      channel.next.peer.close();
    channel.next = udpChannel(socket, address);
    channel.asked = now;
    channel.patience = 2 * Math.max(udpOpenMs, channel.patience);
  },

  $udpSendBy: function(channel, bytes) {
    if (channel.data.readyState === "open")
      channel.data.send(bytes);
    else if (channel.waiting.length < 64)
      channel.waiting.push(bytes);
  },

  browser_udp_open__deps: ["$udpSockets"],
  browser_udp_open: function() {
    return udpSockets.push({ certificate: "", channels: new Map(), received: [] });
  },

  browser_udp_certify__deps: ["$udpSockets"],
  browser_udp_certify: function(number, certificate) {
    udpSockets[number - 1].certificate = UTF8ToString(certificate);
  },

  browser_udp_is_near__deps: ["$udpNear"],
  browser_udp_is_near: function(to, addressBytes) {
    return udpNear(HEAPU8.slice(to, to + addressBytes)) ? 1 : 0;
  },

  // A channel counts for one that is tried beside it, too.
  browser_udp_is_opening__deps: ["$udpSockets"],
  browser_udp_is_opening: function(number) {
    const channels = Array.from(udpSockets[number - 1].channels.values());
    const isOpen = (channel) => channel.data.readyState === "open" || (channel.next && isOpen(channel.next));
    return channels.length && !channels.some(isOpen) ? 1 : 0;
  },

  browser_udp_bind: function() { return 0; },

  browser_udp_close__deps: ["$udpSockets"],
  browser_udp_close: function(number) {
    for (const channel of udpSockets[number - 1].channels.values())
      for (const one of [channel, channel.next].filter(Boolean))
        one.peer.close();
    udpSockets[number - 1] = null;
  },

  browser_udp_send__deps: ["$udpSockets", "$udpChannel", "$udpNear", "$udpRenew", "$udpSendBy"],
  browser_udp_send: function(number, to, addressBytes, bytes, byteCount) {
    const socket = udpSockets[number - 1];
    const address = Array.from(HEAPU8.subarray(to, to + addressBytes));
    const copy = HEAPU8.slice(bytes, bytes + byteCount), child = udpNear(address);
    if (child) { // the socket's number is its port
      child.worker.postMessage({ datagram: copy, from: [127, 0, 0, 1, number >> 8, number & 255] });
      return 1;
    }
    if (!socket.certificate)
      return 0;
    if (!socket.channels.has(address.join()))
      socket.channels.set(address.join(), udpChannel(socket, address));
    const channel = socket.channels.get(address.join());
    udpRenew(socket, address, channel);
    udpSendBy(channel, copy);
    if (channel.next)
      udpSendBy(channel.next, copy);
    return 1;
  },

  // Takes the oldest datagram: its bytes, as far as there is room, its address, and when it came. Returns its bytes, or -1.
  browser_udp_receive__deps: ["$udpSockets"],
  browser_udp_receive: function(number, bytes, room, from, addressBytes, arrivedMs) {
    const datagram = udpSockets[number - 1].received.shift();
    if (!datagram)
      return -1;
    HEAPU8.set(datagram.bytes.subarray(0, room), bytes);
    HEAPU8.set(datagram.address, from);
    HEAPU8[addressBytes] = datagram.address.length;
    HEAPF64[arrivedMs >> 3] = datagram.arrived;
    return datagram.bytes.length;
  },
});
