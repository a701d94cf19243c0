/** The SMS carriers, and which numbers have which. */
import { CarrierSettings } from '../messages/carriers/carrier-settings.js'
import { CarrierStatuses } from '../messages/carriers/carrier-status.js'
import { CarrierService } from '../messages/carriers/carrier.service.js'
import { NumberCarriers } from '../messages/carriers/number-carriers.js'
import { Originators } from '../messages/carriers/originators.js'
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
