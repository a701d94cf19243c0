/** How carriers write the number that they call, and where: it reaches the number that is meant, and no other. */
import { expect } from 'chai'
import type { SipPhone } from '../support/sip-phone.js'
import { type Acl, TrunkWorld, newAcl, newDigits, newNumber } from './trunks.js'

describe('edge: numbers as carriers write them', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  beforeEach(async () => {
    carrier = await trunk.open(trunk.newAddress())
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  /** A number that the carrier may call, by an ACL with these settings. */
  async function numberWith(
    settings: object,
    { number, dial_code = '1', workspace = 'acme', isVerified = false }: NumberOptions = {},
  ) {
    const acl: Acl = await newAcl(trunk.world, [carrier.link.host], workspace)
    if (Object.keys(settings).length > 0)
      await trunk.world.query('UPDATE inbound_acls SET ? WHERE id = ?', [settings, acl.id])
    const made = await newNumber(trunk.world, acl, { ...(number !== undefined && { number }), isVerified })
    await trunk.world.query('UPDATE phone_numbers SET dial_code = ? WHERE id = ?', [dial_code, made.id])
    return made
  }

  /** The number that a call reaches, without a plus sign; the status where it reaches none. */
  async function reached(user: string, options: Parameters<TrunkWorld['call']>[2] = {}) {
    const { status } = await trunk.call(carrier, user, options)
    return status === 200 ? /^INVITE sip:\+(\d+)@/.exec(trunk.arrived().text)?.[1] : status
  }

  const uk = { number: '442079460123', dial_code: '44' }

  for (const [settings, written, isReached] of [
    ...['+N', 'N', '00N', '011N', 'S', '0S', '%2BN', '+1-(N'].map((form) => [{}, form, form !== '+1-(N']),
    ...['+N', 'N', '00N', '011N'].map((form) => [{ inbound_number_format: 'e164' }, form, true]),
    ...['S', '0S'].map((form) => [{ inbound_number_format: 'e164' }, form, false]),
    ...['+N', '00N', 'S', '0S', '1S'].map((form) => [{ inbound_number_format: 'national' }, form, true]),
    ...['S', '0S'].map((form) => [{ country: 'US', calling_code: '1' }, form, true]),
    ...['S', '0S'].map((form) => [{ country: 'GB', calling_code: '44' }, form, false]),
    ...['77N', '77S', '7700N', 'N', '+N'].map((form) => [{ inbound_number_prefix: '77' }, form, true]),
    ...['78N', '7777N', '+77N', '77'].map((form) => [{ inbound_number_prefix: '77' }, form, false]),
    ...['9N', '000N', 'N0', '0011N', '+00N', '+S', '+0S'].map((form) => [{}, form, false]),
  ] as [object, string, boolean][])
    it(`${isReached ? 'reach' : 'do not reach'} a number N, nationally S, as ${written} with ${JSON.stringify(settings)}`, async () => {
      const { number } = await numberWith(settings)
      const user = written.replace('N', number).replace('S', number.slice(1))
      expect(await reached(user)).to.equal(isReached ? number : 403)
    })

  it('are read by their country', async () => {
    const number = `4420${newDigits().slice(2, 10)}`
    await numberWith({ country: 'GB', calling_code: '44' }, { ...uk, number })
    for (const user of [number, `+${number}`, `00${number}`, `011${number}`, `0${number.slice(2)}`])
      expect(await reached(user), user).to.equal(number)
    expect(await reached(`1${number.slice(2)}`)).to.equal(403)
  })

  it('are refused where they may be those of two, until one is verified or its country says which', async () => {
    const national = newDigits().slice(1)
    const [us, cn] = [`1${national}`, `86${national}`]
    await numberWith({}, { number: us })
    const other = await numberWith({}, { number: cn, dial_code: '86', workspace: 'other' })
    expect(await reached(national)).to.equal(403)
    for (const number of [us, cn]) expect(await reached(number)).to.equal(number)
    await trunk.world.query("UPDATE inbound_acls SET country = 'CN', calling_code = '86' WHERE id = ?", [
      other.acl,
    ])
    expect(await reached(national)).to.equal(cn)
    await trunk.world.query('UPDATE phone_numbers SET is_verified = 1 WHERE number = ?', [us])
    expect(await reached(national)).to.equal(us)
  })

  it('with a country code go to that number, and not to one that is written so nationally', async () => {
    const number = newDigits()
    await numberWith({}, { number })
    await numberWith({}, { number: `86${number}`, dial_code: '86', workspace: 'other' })
    expect(await reached(number)).to.equal(number)
    await trunk.world.query(
      "UPDATE inbound_acls SET country = 'CN', calling_code = '86' WHERE workspace_id = ?",
      ['other'],
    )
    expect(await reached(number), 'of two that are as certain').to.equal(403)
    expect(await reached(`+${number}`)).to.equal(number)
  })

  it('are taken from where the ACL says that they stand', async () => {
    const { number } = await numberWith({ called_number_from: 'to' })
    const to = (user: string) => `sip:${user}@carrier.example`
    const party = (user: string) => [`P-Called-Party-ID: <sip:${user}@carrier.example>`]
    for (const user of ['trunk77', 'acme', '1001', newDigits()])
      expect(await reached(user, { to: to(number) }), user).to.equal(number)
    expect(await reached('trunk77', { to: to(`0${number.slice(1)}`) })).to.equal(number)
    expect(await reached(number, { to: to('somebody') })).to.equal(403)
    expect(await reached('trunk77', { to: to('somebody'), extra: party(number) })).to.equal(403)

    await trunk.world.query("UPDATE inbound_acls SET called_number_from = 'p_called_party_id'")
    expect(await reached('trunk77', { to: to('trunk77'), extra: party(`+${number}`) })).to.equal(number)
    expect(await reached(number, { to: to(number) })).to.equal(403)
    const names = [`P-Called-Party-ID: "x" <tel:+${number}>`]
    expect(await reached('trunk77', { to: to('trunk77'), extra: names })).to.equal(number)

    await trunk.world.query("UPDATE inbound_acls SET called_number_from = 'request_uri'")
    expect(await reached('trunk77', { to: to(number), extra: party(number) })).to.equal(403)
    expect(await reached(number, { to: to('somebody'), extra: party('somebody') })).to.equal(number)
  })

  it('hold nothing that the database would run', async () => {
    const { number } = await numberWith({ called_number_from: 'to' })
    for (const user of [`${number}'--`, "' OR 1=1 --", `${number}%27`, "1') OR ('1'='1"])
      expect(await reached('trunk77', { to: `sip:${encodeURI(user)}@carrier.example` }), user).to.equal(403)
    expect(trunk.world.edge.log).not.to.match(/error in your SQL/i)
  })
})

interface NumberOptions {
  number?: string
  dial_code?: string
  workspace?: string
  isVerified?: boolean
}
