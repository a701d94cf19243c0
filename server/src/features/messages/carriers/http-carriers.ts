/** Carriers that are spoken to over HTTP, with what is known of them only here. */
import { http } from '../../../adapters/sms/kinds/http/index.js'
import type { HttpCarrierSecrets, HttpCarrierSettings } from '../../../adapters/sms/kinds/http/settings.js'
import { isId } from '../../../infrastructure/database/ids.js'
import type { CarrierCredentials } from '../media/inbound-media.js'
import type { CarrierSettings } from './carrier-settings.js'
import type { CarrierService } from './carrier.service.js'

interface HttpCarrier {
  readonly settings: HttpCarrierSettings
  readonly secrets: HttpCarrierSecrets
}

export class HttpCarriers {
  constructor(
    private readonly carriers: CarrierService,
    private readonly settings: CarrierSettings,
  ) {}

  /** An active HTTP carrier; null if there is none with this id. */
  async find(id: string): Promise<HttpCarrier | null> {
    const carrier = isId(id, 'car') ? await this.carriers.find(id) : null
    if (!carrier?.is_active || carrier.kind !== http.kind) return null
    const { headers, inbound_secret, ...settings } = http.read(this.settings.full(carrier))
    return { settings, secrets: { headers, inbound_secret } }
  }

  /** The Authorization header of our submissions, if the carrier wants one; null otherwise. */
  async credentials(id: string): Promise<CarrierCredentials | null> {
    const carrier = await this.find(id)
    const headers = Object.entries(carrier?.secrets.headers ?? {})
    const [, authorization] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
    return carrier && authorization ? { url: carrier.settings.url, authorization } : null
  }
}
