# Two machines, in networks of their own: one with the rules of standard input, and one that connects to it.
set -eu
RULES=$(mktemp)
cat > "$RULES"
nft -f "$RULES"
rm "$RULES"
unshare --net sleep 60 &
PEER=$!
trap 'kill $PEER $SERVER' EXIT
SERVER=$PEER
until [ "$(readlink /proc/$PEER/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done

ip link add name ours type veth peer name theirs
ip link set theirs netns $PEER
ip addr add 192.0.2.7/24 dev ours
ip addr add 2001:db8::7/56 dev ours nodad
ip link set ours up
nsenter -t $PEER -n sh -eu -c '
  for address in 192.0.2.8/24 192.0.2.9/24; do ip addr add $address dev theirs; done
  for address in 2001:db8::8/56 2001:db8::9/56 2001:db8:0:1::8/56; do ip addr add $address dev theirs nodad; done
  ip link set theirs up'

"$NODE" -e '
  for (const host of ["192.0.2.7", "2001:db8::7"])
    for (const port of [5060, 5061, 8081])
      require("net").createServer((socket) => socket.on("error", () => {}).resume()).listen({ host, port })' &
SERVER=$!

nsenter -t $PEER -n "$NODE" -e '
  const { connect } = require("net")
  const open = []
  const tries = async (count, localAddress, port, note = "") => {
    const host = localAddress.includes(":") ? "2001:db8::7" : "192.0.2.7"
    const sockets = Array.from({ length: count }, () => connect({ host, port, localAddress }).on("error", () => {}))
    await new Promise((done) => setTimeout(done, 700))
    const there = sockets.filter(({ connecting, destroyed }) => !connecting && !destroyed)
    for (const socket of sockets) if (!there.includes(socket)) socket.destroy()
    open.push(...there)
    console.log(`${there.length} of ${count} from ${localAddress} to ${port}${note}`)
  }
  ;(async () => {
    await new Promise((done) => setTimeout(done, 500)) // the servers
    await tries(15, "192.0.2.8", 5060)
    await tries(15, "192.0.2.8", 5061)
    await tries(15, "192.0.2.9", 5061)
    await tries(15, "2001:db8::8", 5060)
    await tries(15, "2001:db8::9", 5061)
    await tries(15, "2001:db8:0:1::8", 5061)
    await tries(30, "192.0.2.8", 8081)
    for (const socket of open) socket.end()
    await new Promise((done) => setTimeout(done, 500))
    await tries(15, "192.0.2.8", 5061, ", the others being gone")
    process.exit()
  })()'
