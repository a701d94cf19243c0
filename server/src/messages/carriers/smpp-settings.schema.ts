import Type, { type Static } from 'typebox'
import { SMPP_DEFAULTS } from '../../carriers/smpp/settings.js'
import { patterned } from '../../http/shapes.js'

const typeOfNumber = (preset: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 7,
    default: preset,
    description: '1 international, 2 national, 0 unknown',
  })
const numberingPlan = (preset: number) =>
  Type.Integer({ minimum: 0, maximum: 31, default: preset, description: '1 ISDN (E.164), 0 unknown' })
const name = (maxLength: number, description: string) => ({
  pattern: `^[ -~]{0,${maxLength}}$`,
  'x-rule': `up to ${maxLength} printable ASCII characters`,
  description,
})

/** What may be shown of how an SMPP carrier is bound to. */
export const SmppSettingsShape = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 253, description: 'Name or address of the SMSC' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: SMPP_DEFAULTS.port }),
    tls: Type.Boolean({ default: SMPP_DEFAULTS.tls, description: 'TLS from the first byte' }),
    tls_ca: Type.String({
      ...{ maxLength: 32_768, pattern: '^[ -~\\r\\n]*$', 'x-rule': 'certificates in PEM' },
      default: SMPP_DEFAULTS.tls_ca,
      description: 'Certificates (PEM) that the SMSC’s must come from; empty: the public authorities',
    }),
    tls_server_name: Type.String({
      ...name(253, 'The name that the SMSC’s certificate must have; empty: the host'),
      default: SMPP_DEFAULTS.tls_server_name,
    }),
    system_id: patterned('^[!-~]{1,15}$', '1 to 15 visible ASCII characters'),
    system_type: Type.String({ ...name(12, 'Most SMSCs want it empty'), default: SMPP_DEFAULTS.system_type }),
    bind: Type.Enum(['transceiver', 'transmitter_receiver'], {
      default: SMPP_DEFAULTS.bind,
      description: 'One connection for both directions, or one for each',
    }),
    source_ton: typeOfNumber(SMPP_DEFAULTS.source_ton),
    source_npi: numberingPlan(SMPP_DEFAULTS.source_npi),
    destination_ton: typeOfNumber(SMPP_DEFAULTS.destination_ton),
    destination_npi: numberingPlan(SMPP_DEFAULTS.destination_npi),
    number_format: Type.Enum(['digits', 'plus'], {
      default: SMPP_DEFAULTS.number_format,
      description: 'Whether numbers go out with a plus sign',
    }),
    enquire_link_seconds: Type.Integer({
      ...{ minimum: 1, maximum: 3_600, default: SMPP_DEFAULTS.enquire_link_seconds },
      description: 'An enquire_link is sent after so long without a word of the SMSC',
    }),
    response_timeout_seconds: Type.Integer({
      ...{ minimum: 1, maximum: 300, default: SMPP_DEFAULTS.response_timeout_seconds },
    }),
    long_messages: Type.Enum(['udh', 'udh16', 'sar', 'payload'], {
      default: SMPP_DEFAULTS.long_messages,
      description: 'How texts of several segments go',
    }),
    gsm7_data_coding: Type.Enum(['gsm7', 'latin1', 'ascii'], { default: SMPP_DEFAULTS.gsm7_data_coding }),
    inbound_default_data_coding: Type.Enum(['gsm7', 'latin1'], {
      default: SMPP_DEFAULTS.inbound_default_data_coding,
      description: 'What data_coding 0 means in inbound texts',
    }),
    validity_seconds: Type.Integer({
      ...{ minimum: 0, maximum: 604_800, default: SMPP_DEFAULTS.validity_seconds },
      description: 'How long the SMSC may try to deliver; 0 leaves it to the SMSC',
    }),
  },
  { title: 'SmppCarrierSettings' },
)

/** What is kept sealed. */
export const SmppSecretsShape = Type.Object({
  password: Type.String(name(64, 'Of the bind; SMPP 3.4 allows 8 characters, some SMSCs more')),
})

/** All of them, with defaults. */
export const SmppInput = Type.Object({ ...SmppSettingsShape.properties, ...SmppSecretsShape.properties })
export type SmppInput = Static<typeof SmppInput>
