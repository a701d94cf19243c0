/** Firewall rules that let in what is public, as two programs of Debian read them. */

/** @typedef {import('./public-ports.mjs').PublicPort} PublicPort */

/**
 * A table of its own, which replaces itself when it is loaded again and touches no other.
 * @param {PublicPort[]} ports
 * @param {number} sshPort
 * @returns {string} for `nft -f`
 */
export function nftablesRules(ports, sshPort) {
  const rules = ports.map(
    (port) => `    ${port.protocol} dport ${range(port, '-')} accept comment "${port.purpose}"`,
  )
  return `table inet jackfield
delete table inet jackfield
table inet jackfield {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    meta l4proto { icmp, ipv6-icmp } accept
    tcp dport ${sshPort} accept comment "SSH"
${rules.join('\n')}
  }
}
`
}

/**
 * @param {PublicPort[]} ports
 * @param {number} sshPort
 * @returns {string} a shell script
 */
export function ufwRules(ports, sshPort) {
  const rules = ports.map(
    (port) => `ufw allow ${range(port, ':')}/${port.protocol} comment '${port.purpose}'`,
  )
  return `ufw default deny incoming
ufw allow ${sshPort}/tcp comment 'SSH'
${rules.join('\n')}
ufw --force enable
`
}

/** @param {PublicPort} port @param {string} dash */
function range({ from, to }, dash) {
  return from === to ? String(from) : `${from}${dash}${to}`
}
