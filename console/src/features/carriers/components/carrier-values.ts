/** What the form of a carrier holds: the settings of its kind. */
import type { Carrier, SmppSettings } from '../queries'
import { type HttpValues, httpFieldIn, httpSettingsOf, httpValuesOf } from './http-values'

type ByNumber = 'source_ton' | 'source_npi' | 'destination_ton' | 'destination_npi'

type SmppValues = Omit<SmppSettings, ByNumber> & Record<ByNumber, string> & { password: string | null }

export interface CarrierValues extends Record<string, unknown> {
  title: string
  throughput: number
  window_size: number
  smpp?: SmppValues
  http?: HttpValues
}

export function valuesOf(carrier: Carrier): CarrierValues {
  const { title, throughput, window_size, settings, secrets } = carrier
  const common = { title, throughput, window_size }
  const hasHeaders = secrets.some((name) => name.startsWith('headers.'))
  return 'host' in settings
    ? { ...common, smpp: smppValuesOf(settings) }
    : { ...common, http: httpValuesOf(settings, hasHeaders) }
}

function smppValuesOf(settings: SmppSettings): SmppValues {
  const { source_ton, source_npi, destination_ton, destination_npi, ...rest } = settings
  return {
    ...rest,
    ...{ source_ton: String(source_ton), source_npi: String(source_npi) },
    ...{ destination_ton: String(destination_ton), destination_npi: String(destination_npi) },
    password: '',
  }
}

/** Settings as the API takes them; secrets that stay are not sent. */
export function settingsOf({ smpp, http }: CarrierValues): Record<string, unknown> {
  if (http) return httpSettingsOf(http)
  return smpp ? smppSettingsOf(smpp) : {}
}

function smppSettingsOf(smpp: SmppValues): Record<string, unknown> {
  const { password, source_ton, source_npi, destination_ton, destination_npi, ...rest } = smpp
  return {
    ...rest,
    ...{ source_ton: Number(source_ton), source_npi: Number(source_npi) },
    ...{ destination_ton: Number(destination_ton), destination_npi: Number(destination_npi) },
    ...(password !== '' && { password: password ?? '' }),
  }
}

/** Where a field of the API stands in the form. */
export function fieldIn(field: string, { http }: CarrierValues): string {
  const [, name] = /^settings\.(.+)$/.exec(field) ?? []
  if (name === undefined) return field
  return http ? `http.${httpFieldIn(name, http)}` : `smpp.${name}`
}
