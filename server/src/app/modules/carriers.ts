/** The SMS carriers, and which numbers have which. */
import { CarrierSettings } from '../../features/messages/carriers/carrier-settings.js'
import { CarrierStatuses } from '../../features/messages/carriers/carrier-status.js'
import { CarrierService } from '../../features/messages/carriers/carrier.service.js'
import { NumberCarriers } from '../../features/messages/carriers/number-carriers.js'
import { Originators } from '../../features/messages/carriers/originators.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

/** @param wake there is something to submit to a carrier; null: to none */
export function wireCarriers(
  { database, secrets, client }: Core,
  { phoneNumbers }: Resources,
  wake: (carrierId: string | null) => void,
) {
  const carrierSettings = new CarrierSettings(secrets, client)
  return {
    carrierSettings,
    carriers: new CarrierService(database, carrierSettings),
    carrierStatuses: new CarrierStatuses(database),
    numberCarriers: new NumberCarriers({ database, phoneNumbers, wake }),
    originators: new Originators(database, phoneNumbers),
  }
}
