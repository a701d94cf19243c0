/** How a link binds to an SMSC, and how texts go over it (SMPP 3.4). */
export interface SmppSettings {
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
  /** Up to 15 characters. */
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
  /** Type of number of senders: 1 international (E.164), 2 national, 0 unknown. */
  readonly source_ton: number
  /** Numbering plan of senders: 1 ISDN (E.164), 0 unknown. */
  readonly source_npi: number
  readonly destination_ton: number
  readonly destination_npi: number
  /** Whether numbers go out with a plus sign. With either, both are understood inbound. */
  readonly number_format: 'digits' | 'plus'
  /** submit_sm that may be without an answer at once. */
  readonly window_size: number
  /** An enquire_link is sent after so long without a word of the SMSC. */
  readonly enquire_link_seconds: number
  /** What is not answered in this time counts as `unanswered`; an enquire_link without answer ends the connection. */
  readonly response_timeout_seconds: number
  /**
   * How texts go that need more than one segment: `udh` with a header of an 8-bit reference, `udh16` of a 16-bit one
   * (3GPP TS 23.040 9.2.3.24.1 and .8), `sar` with the parameters sar_msg_ref_num, sar_total_segments and
   * sar_segment_seqnum, `payload` whole in message_payload: the SMSC splits them.
   */
  readonly long_messages: 'udh' | 'udh16' | 'sar' | 'payload'
  /**
   * How texts of the GSM-7 alphabet go: `gsm7` one septet an octet with data_coding 0, `latin1` (ISO 8859-1) with
   * data_coding 3, `ascii` (IA5) with data_coding 1. A text that has a character which the latter two lack goes as UCS-2.
   */
  readonly gsm7_data_coding: 'gsm7' | 'latin1' | 'ascii'
  /** What data_coding 0, the SMSC's default alphabet, means in inbound texts. */
  readonly inbound_default_data_coding: 'gsm7' | 'latin1'
  /** How long the SMSC may try to deliver, in seconds; 0 leaves it to the SMSC. */
  readonly validity_seconds: number
}

/** What a carrier has where its operator sets nothing else. */
export const SMPP_DEFAULTS = {
  port: 2775,
  tls: false,
  tls_ca: '',
  tls_server_name: '',
  system_type: '',
  bind: 'transceiver',
  source_ton: 1,
  source_npi: 1,
  destination_ton: 1,
  destination_npi: 1,
  number_format: 'digits',
  window_size: 10,
  enquire_link_seconds: 30,
  response_timeout_seconds: 10,
  long_messages: 'udh',
  gsm7_data_coding: 'gsm7',
  inbound_default_data_coding: 'gsm7',
  validity_seconds: 0,
} as const satisfies Partial<SmppSettings>
