/** What a row needs: the appliance, its customer, and who they speak with. */
import { Smsc } from '../../../server/dist/test/support/smsc.js'
import { say } from '../figures.js'
import { type Customer, makeCustomer } from './customer.js'
import { Plant } from './plant.js'
import { SipEnd } from './sip-end.js'

export interface World {
  plant: Plant
  customer: Customer
  carrier: SipEnd
  smsc: Smsc
}

/** @throws when a part does not come up; what had come up is ended */
export async function startWorld(): Promise<World> {
  const plant = await Plant.start()
  const ends = [async () => plant.stop()]
  try {
    const carrier = await SipEnd.carrier()
    ends.unshift(async () => carrier.stop())
    const smsc = await Smsc.start({ receipts: [{ after_ms: [0, 500] }] })
    ends.unshift(async () => smsc.stop())
    const customer = await makeCustomer(plant, { sip: carrier.port, smpp: smsc.port })
    return { plant, customer, carrier, smsc }
  } catch (error) {
    for (const end of ends) await end().catch(complain)
    throw error
  }
}

/** What does not end by itself is ended with this process. */
export async function stopWorld({ plant, carrier, smsc }: World): Promise<void> {
  for (const one of [carrier, smsc, plant]) await one.stop().catch(complain)
}

const complain = (error: unknown) => say(`  did not end: ${String(error)}`)
