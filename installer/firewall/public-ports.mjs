/** Public ports. All others connect the parts, on addresses of this machine only. */

/**
 * @typedef {object} PublicPort
 * @property {'tcp' | 'udp'} protocol
 * @property {number} from
 * @property {number} to the same as `from` for a single port
 * @property {string} purpose for display
 * @property {boolean} [isEdge] whether it counts towards Kamailio's 4,096 connections
 */

/**
 * @param {import('../settings.mjs').Settings} settings
 * @returns {PublicPort[]} without listeners on loopback addresses
 */
export function publicPorts(settings) {
  const sip = settings['sip.listen_host']
  const tlsPort = settings['http.tls_port']
  const listeners = [
    at('udp', sip, settings['sip.port'], 'SIP'),
    { ...at('tcp', sip, settings['sip.port'], 'SIP'), isEdge: true },
    { ...at('tcp', sip, settings['sip.tls_port'], 'SIP over TLS'), isEdge: true },
    { ...at('tcp', sip, settings['sip.ws_port'], 'SIP over WebSocket'), isEdge: true },
    { ...at('tcp', sip, settings['sip.wss_port'], 'SIP over WebSocket with TLS'), isEdge: true },
    at('tcp', settings['http.host'], settings['http.port'], 'HTTP'),
    ...(tlsPort > 0 ? [at('tcp', settings['http.host'], tlsPort, 'HTTPS')] : []),
    ...(settings['metrics.port'] > 0
      ? [at('tcp', settings['metrics.host'], settings['metrics.port'], 'measurements')]
      : []),
    {
      ...at('udp', settings['rtp.listen_host'], settings['rtp.start'], 'audio and video'),
      to: settings['rtp.end'],
    },
  ]
  return listeners.filter(({ host }) => !isLoopback(host))
}

/** @param {'tcp' | 'udp'} protocol @param {string} host @param {number} port @param {string} purpose */
function at(protocol, host, port, purpose) {
  return { protocol, host, from: port, to: port, purpose }
}

/** @param {string} host */
function isLoopback(host) {
  return host.startsWith('127.') || host === '::1'
}
