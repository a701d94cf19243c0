import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp, word } from '../../infrastructure/database/columns.js'
import type { SipHost, SipTransport } from '../../infrastructure/http-client/sip-servers.js'
import type { CarrierCodec, MediaEncryption } from '../../adapters/freeswitch/switchboard.js'
import type { NumberSettings } from '../../adapters/sms/numbers.js'

/** How a name is looked up in DNS, where not by its addresses alone (RFC 3263). */
export const hostLookups = ['srv', 'naptr'] as const
export type HostLookup = (typeof hostLookups)[number]

/** One address of a carrier; priority 1 is tried first. */
export interface OutboundUri {
  uri: string
  /** With a {@link lookup}: where there are no SRV records. */
  port: number
  /** With the lookup `naptr`: where there are no NAPTR and SRV records. */
  protocol: SipTransport
  priority: number
  lookup?: HostLookup
}

/** What of an address DNS is asked for. */
export function sipHostOf({ uri: host, port, protocol, lookup }: OutboundUri): SipHost {
  if (!lookup) return { host, port, transport: protocol }
  return { host, port: null, transport: lookup === 'naptr' ? null : protocol, otherwise: port }
}

/** Whether calls may go over a gateway, or the operator has to approve it first. */
export const gatewayStates = ['active', 'pending_approval'] as const
export type GatewayState = (typeof gatewayStates)[number]

/** For forwarded incoming calls: the header that says so, and whose number is shown as the caller. */
export const forwardedHeaders = ['none', 'diversion', 'history_info'] as const
export const forwardedCallers = ['own', 'original'] as const

/** A carrier's prefix belongs in front of called numbers only. */
export type CallerNumberFormat = Exclude<NumberSettings['number_format'], 'prefix'>

const text = { type: 'varchar', charset: 'ascii', collation: 'ascii_bin' } as const
const header = (length: number) => ({ ...text, length, nullable: true })

/** A way out to a carrier. */
@Entity('outbound_gateways')
export class OutboundGateway {
  /** `gw_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  /** As it was given; calls show the number that they go out with. */
  @Column({ type: 'varchar', length: 64, nullable: true }) outbound_caller_id!: string | null
  @Column({ type: 'json' }) outbound_uris!: OutboundUri[]
  @Column({ type: 'varchar', length: 64, nullable: true }) credential_username!: string | null
  /** Encrypted. */
  @Column({ type: 'varchar', length: 512, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  credential_password!: string | null
  /** User part of From, in place of the caller's number, which P-Asserted-Identity still carries. */
  @Column(header(64)) from_user!: string | null
  /** Whether the operator set {@link from_user}, which then may be any number. */
  @Column(flag) from_user_approved!: boolean
  /** Host of From and P-Asserted-Identity; null: our public address. */
  @Column(header(253)) from_domain!: string | null
  /** Host of Contact; null: our public address. */
  @Column(header(253)) contact_host!: string | null
  /** Host of the request URI and of To, where the addresses are proxies; null: the address itself. */
  @Column(header(253)) request_domain!: string | null
  /** ISO 3166-1 code of the country whose national numbers the carrier takes; '': that of our number. */
  @Column({ ...text, length: 2 }) country!: string
  /** How the called number is written. */
  @Column({ ...text, length: 20 }) number_format!: NumberSettings['number_format']
  @Column({ ...text, length: 16 }) number_prefix!: string
  /** How the caller's number is written. */
  @Column({ ...text, length: 20 }) caller_number_format!: CallerNumberFormat
  /** Whether we register at the carrier. */
  @Column(flag) register!: boolean
  /** User of the address of record; null: {@link from_user}, else the name of the credential up to an `@`. */
  @Column(header(64)) register_user!: string | null
  /** Domain of the address of record; null: {@link request_domain}, else the host of the first address. */
  @Column(header(253)) register_domain!: string | null
  /** Seconds that are asked for. */
  @Column({ type: 'int' }) register_expires!: number
  /** Grows when the registration has to be made again. */
  @Column({ type: 'int' }) registration_serial!: number
  /** Whether who calls over it is signed. */
  @Column(flag) is_signing!: boolean
  /** Of the sound of calls over it (SRTP). */
  @Column(word) media_encryption!: MediaEncryption
  /** What the carrier is offered, best first; null: PCMU, PCMA. */
  @Column({ type: 'json', nullable: true }) codecs!: CarrierCodec[] | null
  /** The header that gives the carrier the originally called number of forwarded calls. */
  @Column(word) forwarded_calls!: (typeof forwardedHeaders)[number]
  /** Whose number such calls show; only the operator lets it be the original caller's. */
  @Column(word) forwarded_caller!: (typeof forwardedCallers)[number]
  /** Digits that go out over it as they are dialled. */
  @Column({ type: 'json' }) short_numbers!: string[]
  /** Whether its addresses are asked by OPTIONS whether they answer. */
  @Column(flag) options_ping!: boolean
  /** Whether the operator has approved where it leads. */
  @Column(flag) is_approved!: boolean
  /** `pending_approval`: it leads where only the operator lets it, and carries no calls. */
  @Column(word) state!: GatewayState
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
