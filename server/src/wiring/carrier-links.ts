import type { Logger } from 'pino'
import { HttpLink } from '../carriers/http/http-link.js'
import type { CarrierLink, LinkHolder } from '../carriers/link.js'
import { SmppLink } from '../carriers/smpp/smpp-link.js'
import type { Config } from '../config.js'
import type { LinkSettings } from '../messages/carriers/carrier-settings.js'

/** Makes the link of a carrier by its kind. @throws when its settings are of no use */
export function linkOf(
  carrier: LinkSettings,
  window: number,
  network: Config['http_client'],
  holder: LinkHolder,
  log: Logger,
): CarrierLink {
  if (carrier.kind === 'smpp') return new SmppLink(carrier.settings, holder, log)
  const { settings, secrets } = carrier
  return new HttpLink({ settings, secrets, window, network, holder })
}
