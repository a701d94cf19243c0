/** Firewall rules that open the public ports, in two formats of Debian. */

/** @typedef {import('./public-ports.mjs').PublicPort} PublicPort */

/**
 * @typedef {object} Wishes
 * @property {number} sshPort
 * @property {number} connections to Kamailio that one IPv4 address, or one IPv6 /64, may have at once
 */

/**
 * A table of its own, which replaces itself on reload and touches no other.
 * @param {PublicPort[]} ports
 * @param {Wishes} wishes
 * @returns {string} for `nft -f`
 */
export function nftablesRules(ports, { sshPort, connections }) {
  const rules = ports.map(
    (port) => `    ${port.protocol} dport ${range(port, '-')} accept comment "${port.purpose}"`,
  )
  const isNew = `tcp dport { ${edgePorts(ports).join(', ')} } ct state new`
  const limits = [
    `    ${isNew} add @sip_sources { ip saddr ct count over ${connections} } drop`,
    `    ${isNew} add @sip_networks { ip6 saddr and ffff:ffff:ffff:ffff:: ct count over ${connections} } drop`,
  ]
  return `table inet jackfield
delete table inet jackfield
table inet jackfield {
  set sip_sources {
    type ipv4_addr
    size 65535
    flags dynamic
  }
  set sip_networks {
    type ipv6_addr
    size 65535
    flags dynamic
  }
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    meta l4proto { icmp, ipv6-icmp } accept
    tcp dport ${sshPort} accept comment "SSH"
${[...(edgePorts(ports).length > 0 ? limits : []), ...rules].join('\n')}
  }
}
`
}

/**
 * @param {PublicPort[]} ports
 * @param {Wishes} wishes
 * @returns {string} a shell script
 */
export function ufwRules(ports, { sshPort, connections }) {
  const rules = ports.map(
    (port) => `ufw allow ${range(port, ':')}/${port.protocol} comment '${port.purpose}'`,
  )
  const edge = edgePorts(ports)
  const limits = [ufwLimit('', edge, connections, 32), ufwLimit('6', edge, connections, 64)]
  return `ufw default deny incoming
ufw allow ${sshPort}/tcp comment 'SSH'
${[...rules, ...(edge.length > 0 ? limits : [])].join('\n')}
ufw --force enable
ufw reload
`
}

/**
 * ufw cannot limit connections by source; the rules in its own files apply before its commands.
 * @param {'' | '6'} family
 * @param {number[]} ports
 * @param {number} connections
 * @param {number} mask bits of an address that count as one source
 * @returns {string} an idempotent command that adds the limit
 */
function ufwLimit(family, ports, connections, mask) {
  const what = `! -i lo -p tcp --syn -m multiport --dports ${ports.join(',')}`
  const limit = `-m connlimit --connlimit-above ${connections} --connlimit-mask ${mask}`
  const rule = `-A ufw${family}-before-input ${what} ${limit} -m comment --comment jackfield -j DROP`
  return `sed -i -e '/--comment jackfield /d' -e '/^# End required lines/a ${rule}' /etc/ufw/before${family}.rules`
}

/** @param {PublicPort[]} ports @returns {number[]} */
function edgePorts(ports) {
  return ports.filter(({ isEdge }) => isEdge).map(({ from }) => from)
}

/** @param {PublicPort} port @param {string} dash */
function range({ from, to }, dash) {
  return from === to ? String(from) : `${from}${dash}${to}`
}
