import Type from 'typebox'
import { SMPP_DEFAULTS, gsm7Codings, inboundAlphabets, interfaceVersions } from './settings.js'
import { nullable, patterned } from '../../../../infrastructure/http/shapes.js'
import { numberSettings } from '../../number-settings.schema.js'
import { refusalCodes } from '../../refusals.schema.js'
import { receiptStatuses } from '../../receipt-statuses.schema.js'

const versions = Object.keys(interfaceVersions) as (keyof typeof interfaceVersions)[]

const ton = (preset: number | null) => ({
  ...{ minimum: 0, maximum: 7, default: preset },
  description: '1 international, 2 national, 3 network specific, 5 alphanumeric, 6 abbreviated, 0 unknown',
})
const npi = (preset: number | null) => ({
  ...{ minimum: 0, maximum: 31, default: preset, description: '1 ISDN (E.164), 0 unknown' },
})
const asItIs = (options: { description: string }) =>
  nullable(Type.Integer({ ...options, description: `${options.description}; null: as each number is` }))
const byte = (preset: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 255, default: preset, description })
const alphabet = (preset: (typeof inboundAlphabets)[number], description: string) =>
  Type.Enum([...inboundAlphabets], { default: preset, description })
const name = (maxLength: number, description: string) => ({
  pattern: `^[ -~]{0,${maxLength}}$`,
  'x-rule': `up to ${maxLength} printable ASCII characters`,
  description,
})

/** The settings of an SMPP bind. */
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
    system_id: patterned('^[!-~]{1,63}$', '1 to 63 visible ASCII characters', {
      description: 'SMPP 3.4 allows 15 characters, some SMSCs more',
    }),
    system_type: Type.String({ ...name(32, 'Most SMSCs want it empty'), default: SMPP_DEFAULTS.system_type }),
    interface_version: Type.Enum(versions, {
      default: SMPP_DEFAULTS.interface_version,
      description: 'That the bind names',
    }),
    addr_ton: Type.Integer(ton(SMPP_DEFAULTS.addr_ton)),
    addr_npi: Type.Integer(npi(SMPP_DEFAULTS.addr_npi)),
    address_range: Type.String({
      ...name(64, 'Of the bind: the addresses whose texts it wants; empty: all that the SMSC has for us'),
      default: SMPP_DEFAULTS.address_range,
    }),
    bind: Type.Enum(['transceiver', 'transmitter_receiver'], {
      default: SMPP_DEFAULTS.bind,
      description: 'One connection for both directions, or one for each',
    }),
    source_ton: asItIs(ton(SMPP_DEFAULTS.source_ton)),
    source_npi: asItIs(npi(SMPP_DEFAULTS.source_npi)),
    destination_ton: asItIs(ton(SMPP_DEFAULTS.destination_ton)),
    destination_npi: asItIs(npi(SMPP_DEFAULTS.destination_npi)),
    short_code_ton: Type.Integer(ton(SMPP_DEFAULTS.short_code_ton)),
    short_code_npi: Type.Integer(npi(SMPP_DEFAULTS.short_code_npi)),
    ...numberSettings(SMPP_DEFAULTS.number_format),
    service_type: Type.String({
      ...name(5, 'Such as CMT; empty: the SMSC’s default'),
      default: SMPP_DEFAULTS.service_type,
    }),
    protocol_id: byte(SMPP_DEFAULTS.protocol_id, 'TP-PID of 3GPP TS 23.040'),
    priority: byte(SMPP_DEFAULTS.priority, 'priority_flag: 0 to 3 for most SMSCs'),
    registered_delivery: Type.Integer({
      ...{ minimum: 0, maximum: 31, default: SMPP_DEFAULTS.registered_delivery },
      description:
        '1: a receipt of every final state, 2: of failures alone, 0: none; plus 16: intermediate ones too',
    }),
    enquire_link_seconds: Type.Integer({
      ...{ minimum: 1, maximum: 3_600, default: SMPP_DEFAULTS.enquire_link_seconds },
      description: 'Sends an enquire_link when the SMSC has been silent for this time',
    }),
    response_timeout_seconds: Type.Integer({
      ...{ minimum: 1, maximum: 300, default: SMPP_DEFAULTS.response_timeout_seconds },
    }),
    long_messages: Type.Enum(['udh', 'udh16', 'sar', 'payload'], {
      default: SMPP_DEFAULTS.long_messages,
      description: 'How texts of several segments go',
    }),
    gsm7_data_coding: Type.Enum([...gsm7Codings], { default: SMPP_DEFAULTS.gsm7_data_coding }),
    inbound_default_data_coding: alphabet(
      SMPP_DEFAULTS.inbound_default_data_coding,
      'What data_coding 0 means in inbound texts',
    ),
    inbound_ascii_data_coding: alphabet(
      SMPP_DEFAULTS.inbound_ascii_data_coding,
      'What data_coding 1 means in inbound texts',
    ),
    inbound_binary_data_coding: alphabet(
      SMPP_DEFAULTS.inbound_binary_data_coding,
      'What data_coding 2 and 4, and the 8-bit ones of 3GPP TS 23.038, mean in inbound texts',
    ),
    inbound_trailing_nul: Type.Enum(['end', 'text'], {
      default: SMPP_DEFAULTS.inbound_trailing_nul,
      description: 'Whether an octet 0 that ends a text in GSM-7 is the end of a C string, or @',
    }),
    validity_seconds: Type.Integer({
      ...{ minimum: 0, maximum: 604_800, default: SMPP_DEFAULTS.validity_seconds },
      description: 'How long the SMSC may try to deliver; 0 leaves it to the SMSC',
    }),
    validity_format: Type.Enum(['relative', 'absolute'], {
      default: SMPP_DEFAULTS.validity_format,
      description: 'How validity_period is written; absolute in UTC',
    }),
    refusals: refusalCodes({
      default: { ...SMPP_DEFAULTS.refusals },
      description:
        'What the SMSC’s own command_status mean, such as `0x401`; others mean what SMPP says. `err:045` is a code in its receipts, which can mean `opted_out` alone',
    }),
    receipt_statuses: receiptStatuses({
      default: { ...SMPP_DEFAULTS.receipt_statuses },
      description:
        'What the carrier’s own words in receipts mean, whatever their case. Common words, and the numbers of message_state, are known without',
    }),
    password: Type.String(name(64, 'Of the bind; SMPP 3.4 allows 8 characters, some SMSCs more')),
  },
  { title: 'SmppCarrierSettings' },
)
