import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp, word } from '../../infrastructure/database/columns.js'

/**
 * `waiting`: nothing is sent, as for a gateway on simulated lines. `registering`: the first answer is not there yet.
 * `refused`: the registrar said no. `unreachable`: no address answered, or each with 5xx.
 */
export const registrationStatuses = [
  'waiting',
  'registering',
  'registered',
  'refused',
  'unreachable',
] as const
export type RegistrationStatus = (typeof registrationStatuses)[number]

/** Where a REGISTER is sent. */
export interface RegistrarTarget {
  /** SIP URI of an address that was judged. */
  nextHop: string
  /** Name that TLS asks for. */
  serverName: string
}

const ascii = (length: number) =>
  ({ type: 'varchar', length, charset: 'ascii', collation: 'ascii_bin' }) as const
const moment = { ...timestamp, nullable: true } as never

/** One binding at a registrar (RFC 3261 section 10). It outlives its gateway until it has been taken back. */
@Entity('gateway_registrations')
export class GatewayRegistration {
  /** `gr_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) gateway_id!: string
  /** The gateway; null once the binding is to be taken back. */
  @Column({ ...asciiId, nullable: true } as never) current_of!: string | null
  /** `registration_serial` of the gateway when this was made. */
  @Column({ type: 'int' }) serial!: number
  /** Of the address of record. */
  @Column({ type: 'varchar', length: 64 }) aor_user!: string
  @Column(ascii(253)) aor_domain!: string
  @Column({ type: 'varchar', length: 64 }) username!: string
  /** Sealed. */
  @Column(ascii(512)) password!: string
  /** Seconds that are asked for. */
  @Column({ type: 'int' }) expires!: number
  /** User part of our Contact, random so that it cannot be guessed. */
  @Column(ascii(64)) contact_user!: string
  /** Host of our Contact; null: the public address of the edge. */
  @Column({ ...ascii(253), nullable: true }) contact_host!: string | null
  @Column(ascii(64)) sip_call_id!: string
  @Column({ type: 'int' }) cseq!: number
  /** The edge that sent the last REGISTER, `host:port`; '' before the first. */
  @Column(ascii(64)) edge!: string
  /** Where that was sent. */
  @Column({ type: 'json', nullable: true }) target!: RegistrarTarget | null
  /** The Contact that the registrar holds, as it wrote it. */
  @Column({ ...ascii(400), nullable: true }) contact!: string | null
  @Column(word) status!: RegistrationStatus
  @Column({ type: 'smallint', nullable: true }) sip_code!: number | null
  @Column({ type: 'varchar', length: 100, nullable: true }) reason!: string | null
  /** Attempts since the last success. */
  @Column({ type: 'int' }) failures!: number
  /** When the status began. */
  @Column(timestamp) since!: Date
  /** When the registrar last took it. */
  @Column(moment) registered_at!: Date | null
  @Column(moment) registered_until!: Date | null
  /** When the next REGISTER is due. */
  @Column(timestamp) due_at!: Date
  /** Until then one server has it in hand. */
  @Column(moment) busy_until!: Date | null
}
