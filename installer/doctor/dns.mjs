/** Whether the platform's names resolve to it in public DNS: it asks name servers, not /etc/hosts. */
import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { codeOf } from '../failure.mjs'
import { ill, unknown, well } from './finding.mjs'

/** @typedef {import('./finding.mjs').Finding} Finding */

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {string} [server] address of a name server, instead of the system's
 * @returns {Promise<Finding[]>} one for each name; a nonexistent workspace represents all of them
 */
export async function checkDns(settings, server) {
  const { base_domain: base, 'edge.sip_domain': sip } = settings
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (server) resolver.setServers([server])
  const workspace = `doctor-${randomBytes(4).toString('hex')}`
  const names = [`admin.${base}`, `${workspace}.${base}`, sip, `${workspace}.${sip}`]
  return Promise.all([...new Set(names)].map((name) => checkName(resolver, name, settings['sip.host'])))
}

/** @param {Resolver} resolver @param {string} name @param {string} wanted @returns {Promise<Finding>} */
async function checkName(resolver, name, wanted) {
  // RFC 6761, section 6.3: these names are the local machine everywhere
  if (/(^|\.)localhost$/.test(name)) return unknown(`${name} leads nowhere on other machines`)
  const kind = isIPv6(wanted) ? 'AAAA' : 'A'
  try {
    const found = await (kind === 'AAAA' ? resolver.resolve6(name) : resolver.resolve4(name))
    if (found.includes(wanted)) return well(`${name} leads to ${wanted}`)
    return ill(
      `${name} leads to ${found.join(', ')}, not to ${wanted}`,
      `${kind} record of ${name}: ${wanted}`,
    )
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'ENOTFOUND' || code === 'ENODATA')
      return ill(`${name} leads nowhere`, `set the ${kind} record of ${name}, or of a wildcard, to ${wanted}`)
    return unknown(`${name}: the name servers do not answer (${code})`)
  }
}
