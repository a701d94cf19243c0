/** Settings of a link to an SMSC: how to bind, and how to send texts (SMPP 3.4). */
import type { ReceiptState, Refusals } from '../../link.js'
import { NUMBER_DEFAULTS, type NumberSettings } from '../../numbers.js'

export const gsm7Codings = ['gsm7', 'gsm7_packed', 'latin1', 'ascii'] as const

/** Alphabets that an ambiguous data_coding can mean. `gsm7` has one septet an octet, `gsm7_packed` eight in seven. */
export const inboundAlphabets = ['gsm7', 'gsm7_packed', 'latin1', 'ascii', 'utf8', 'ucs2'] as const
export type InboundAlphabet = (typeof inboundAlphabets)[number]

/** interface_version of the bind (SMPP 3.3, 3.4 and 5.0). */
export const interfaceVersions = { '3.3': 0x33, '3.4': 0x34, '5.0': 0x50 } as const

export interface SmppSettings extends NumberSettings {
  /** Name or address of the SMSC. */
  readonly host: string
  /** 2775 is SMPP's own; 3550 is common for TLS. */
  readonly port: number
  /** TLS 1.2 or later from the first byte, with the SMSC's certificate checked. */
  readonly tls: boolean
  /** PEM certificates which the SMSC's must come from; '' for the authorities that Node.js knows. */
  readonly tls_ca: string
  /** The name which the SMSC's certificate must have; '' for `host`. */
  readonly tls_server_name: string
  /** Up to 15 characters by SMPP 3.4; some SMSCs give longer ones. */
  readonly system_id: string
  /** Up to 8 characters by SMPP 3.4; some SMSCs take more. A secret. */
  readonly password: string
  /** Up to 12 characters; most SMSCs want ''. */
  readonly system_type: string
  /**
   * `transceiver`: one bind sends and receives. `transmitter_receiver`: two connections, one for each direction; the
   * link is up when both are.
   */
  readonly bind: 'transceiver' | 'transmitter_receiver'
  readonly interface_version: keyof typeof interfaceVersions
  /** Of the bind: which addresses the SMSC has for us (5.2.7, a regular expression of UNIX); '' for all that it has. */
  readonly addr_ton: number
  readonly addr_npi: number
  readonly address_range: string
  /**
   * Type of number and numbering plan of senders and recipients; null: as each is (international or national with ISDN,
   * unknown before other prefixes). Names and short codes have types of their own.
   */
  readonly source_ton: number | null
  readonly source_npi: number | null
  readonly destination_ton: number | null
  readonly destination_npi: number | null
  /** Of short codes; names are alphanumeric (5), of no plan (0). */
  readonly short_code_ton: number
  readonly short_code_npi: number
  /** Up to 5 characters, such as CMT; '' for the SMSC's default. */
  readonly service_type: string
  /** TP-PID (3GPP TS 23.040, 9.2.3.9). */
  readonly protocol_id: number
  readonly priority: number
  /** 1: a receipt of every final state, 2: of failures alone, 0: none; with 16 intermediate ones too (5.2.17). */
  readonly registered_delivery: number
  /** submit_sm that may be unanswered at once. */
  readonly window_size: number
  /** An enquire_link is sent when the SMSC has been silent for this time. */
  readonly enquire_link_seconds: number
  /**
   * A request without an answer within this time counts as `unanswered`; an enquire_link without answer ends the
   * connection.
   */
  readonly response_timeout_seconds: number
  /**
   * How texts go that need more than one segment: `udh` with a header of an 8-bit reference, `udh16` of a 16-bit one
   * (3GPP TS 23.040 9.2.3.24.1 and .8), `sar` with the parameters sar_msg_ref_num, sar_total_segments and
   * sar_segment_seqnum, `payload` whole in message_payload: the SMSC splits them.
   */
  readonly long_messages: 'udh' | 'udh16' | 'sar' | 'payload'
  /**
   * How texts of the GSM-7 alphabet go: `gsm7` one septet an octet with data_coding 0, `gsm7_packed` eight in seven,
   * `latin1` (ISO 8859-1) with data_coding 3, `ascii` (IA5) with data_coding 1. A text that has a character which the
   * latter two lack goes as UCS-2.
   */
  readonly gsm7_data_coding: (typeof gsm7Codings)[number]
  /** What data_coding 0, the SMSC's default alphabet, means in inbound texts. */
  readonly inbound_default_data_coding: InboundAlphabet
  /** What data_coding 1, IA5, means in inbound texts: some SMSCs mean the GSM alphabet. */
  readonly inbound_ascii_data_coding: InboundAlphabet
  /** What data_coding 2 and 4, and the 8-bit codings of TS 23.038, mean in inbound texts. */
  readonly inbound_binary_data_coding: InboundAlphabet
  /** Whether an octet 0 at the end of a text in GSM-7 is the end of a C string, or `@`. */
  readonly inbound_trailing_nul: 'end' | 'text'
  /** How long the SMSC may try to deliver, in seconds; 0 for the SMSC's default. */
  readonly validity_seconds: number
  /** `relative`: a duration from now, `absolute`: a time in UTC (7.1.1). */
  readonly validity_format: 'relative' | 'absolute'
  /** Meanings of status words in receipts, in any case; they override the built-in ones. */
  readonly receipt_statuses: Readonly<Record<string, ReceiptState>>
  /**
   * What command_status of its answers mean (`0x401`, `1025`), before what SMPP says; and which codes in its receipts mean
   * that the client has opted out (`err:045`).
   */
  readonly refusals: Refusals
}

/** Defaults of the settings. */
export const SMPP_DEFAULTS = {
  port: 2775,
  tls: false,
  tls_ca: '',
  tls_server_name: '',
  system_type: '',
  bind: 'transceiver',
  interface_version: '3.4',
  ...{ addr_ton: 0, addr_npi: 0, address_range: '' },
  ...{ source_ton: null, source_npi: null, destination_ton: null, destination_npi: null },
  ...{ short_code_ton: 3, short_code_npi: 0 },
  ...NUMBER_DEFAULTS,
  ...{ service_type: '', protocol_id: 0, priority: 0, registered_delivery: 1 },
  window_size: 10,
  enquire_link_seconds: 30,
  response_timeout_seconds: 10,
  long_messages: 'udh',
  gsm7_data_coding: 'gsm7',
  inbound_default_data_coding: 'gsm7',
  inbound_ascii_data_coding: 'ascii',
  inbound_binary_data_coding: 'latin1',
  inbound_trailing_nul: 'end',
  validity_seconds: 0,
  validity_format: 'relative',
  refusals: {},
  receipt_statuses: {},
} as const satisfies Partial<SmppSettings>
