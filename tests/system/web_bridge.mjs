// SPDX-License-Identifier: MIT
//
// An independent WebRTC peer, werift, in place of a browser: node web_bridge.mjs WERIFT SERVER_PORT FINGERPRINT
// Native clients send UDP to the port that it prints; each gets a data channel of its own to the server. It makes the
// answer of the server itself, as a page does from a link: no signalling.
import dgram from "node:dgram";
import { pathToFileURL } from "node:url";

const [werift, serverPort, fingerprint] = process.argv.slice(2);
const { RTCPeerConnection } = await import(pathToFileURL(werift));
const ADDRESS = "127.0.0.1";
const front = dgram.createSocket("udp4");
const clients = new Map();

function answer() {
  const bytes = Buffer.from(fingerprint, "base64url");
  const colons = [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
  const password = "deadfall" + Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("hex");
  return [
    "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=group:BUNDLE 0", "a=ice-lite",
    `m=application ${serverPort} UDP/DTLS/SCTP webrtc-datachannel`, `c=IN IP4 ${ADDRESS}`, "a=mid:0",
    `a=ice-ufrag:${password}`, `a=ice-pwd:${password}`, `a=fingerprint:sha-256 ${colons}`, "a=setup:passive",
    "a=sctp-port:5000", "a=max-message-size:1232",
    `a=candidate:1 1 udp 2130706431 ${ADDRESS} ${serverPort} typ host`, "a=end-of-candidates", "",
  ].join("\r\n");
}

async function open(client) {
  const peer = new RTCPeerConnection({ iceServers: [], iceUseIpv6: false, iceAdditionalHostAddresses: [ADDRESS] });
  const channel = peer.createDataChannel("game", { ordered: false, maxRetransmits: 0, negotiated: true, id: 0 });
  channel.onMessage.subscribe((bytes) => front.send(bytes, client.port, client.address));
  peer.connectionStateChange.subscribe((state) => console.error(`${Math.round(performance.now())} connection ${state}`));
  channel.stateChanged.subscribe((state) => {
    console.error(`${Math.round(performance.now())} channel ${state}`);
    for (const bytes of state === "open" ? client.waiting.splice(0) : []) channel.send(bytes);
  });
  client.channel = channel;
  await peer.setLocalDescription(await peer.createOffer());
  await peer.setRemoteDescription({ type: "answer", sdp: answer() });
}

front.on("message", (bytes, from) => {
  const key = `${from.address}:${from.port}`;
  if (!clients.has(key)) {
    clients.set(key, { address: from.address, port: from.port, waiting: [] });
    open(clients.get(key)).catch((reason) => { console.error(reason); process.exit(1); });
  }
  const client = clients.get(key);
  if (client.channel?.readyState === "open") client.channel.send(bytes);
  else client.waiting.push(bytes);
});
front.bind(0, ADDRESS, () => console.log(front.address().port));
