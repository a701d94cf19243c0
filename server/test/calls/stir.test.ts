/** Signed callers (STIR/SHAKEN) through the real switch and edge, with libsecsipid as the other side. */
import { createPrivateKey } from 'node:crypto'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { signedIdentity } from '../../src/adapters/stir-shaken/passport.js'
import { FileServer } from '../support/file-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import { StirCertificates } from '../support/stir-certificates.js'

const [caller, called] = ['12125550123', '12025550199']
const passed = { status: 'passed', attestation: 'A', reason: null }
const failed = (reason: string) => ({ status: 'failed', attestation: null, reason })

describe('signed callers on the freeswitch', function () {
  this.timeout(120_000)
  let certificates: StirCertificates
  let web: FileServer
  let bench: InboundBench
  let [carrierUrl, impostorUrl] = ['', '']
  /** As long as addresses of certificates may become, so that no packet of 1,500 bytes holds the INVITE. */
  const certificateUrl = `https://carrier.example/${'certificates/'.repeat(20)}ours.pem`

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    certificates = new StirCertificates()
    web = await FileServer.start()
    carrierUrl = web.serve('/carrier.pem', certificates.chain('carrier'))
    impostorUrl = web.serve('/impostor.pem', Buffer.from(certificates.read('impostor.pem')))
    bench = await InboundBench.start({
      settings: {
        JACKFIELD_STIR_CERTIFICATE_FILE: certificates.path('carrier.pem'),
        JACKFIELD_STIR_KEY_FILE: certificates.path('carrier.key'),
        JACKFIELD_STIR_CERTIFICATE_URL: certificateUrl,
        JACKFIELD_STIR_CA_FILE: certificates.path('authority.pem'),
        JACKFIELD_STIR_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    })
    await bench.runs([{ id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }])
    await bench.trustsCarrier()
  })
  after(async () => {
    await bench?.stop()
    await web?.stop()
    certificates?.remove()
  })

  /** Has the number's ACL do so with callers who are not verified. */
  const callersAre = async (unverified_callers: string) => {
    const { aclId } = bench.bench
    const { status, body } = await bench.api.patch(`/sip-trunks/acls/${aclId}`, { unverified_callers })
    expect(status, JSON.stringify(body)).to.equal(200)
  }

  /** Calls the number; what the carrier hears, and what the call's record says of the caller. */
  const arrives = async (identity: string | null, headers: Record<string, string> = {}) => {
    const phone = await bench.caller({ headers: { ...headers, ...(identity && { Identity: identity }) } })
    const heard = await phone.call(bench.number).answered()
    const record = await bench.lastCall()
    return { heard, ...record, verified: (record as { caller_verification?: unknown }).caller_verification }
  }

  const signed = (orig = caller, dest = called, x5u = carrierUrl, name = 'carrier') =>
    certificates.signedByOthers(orig, dest, 'A', x5u, name)

  it('are told to carriers by gateways that sign: A, and B for numbers that called out before they were verified', async () => {
    const { carrier, numberId, workspace, appliance } = bench.bench
    const number = await bench.api.get(`/phone-numbers/${numberId}`)
    const gateway = `/sip-trunks/gateways/${number.body.outbound_gateway_id as string}`
    const invited = async () => {
      const before = new Set((await carrier!.messages()).map(({ callId }) => callId))
      await bench.bench.call('+12025550101')
      const isNew = ({ method, status, callId }: { method: string; status: number; callId: string }) =>
        method === 'INVITE' && status === 0 && !before.has(callId)
      const [invite] = await carrier!.waitFor('INVITE', isNew)
      return { invite: invite!, identity: header(invite!, 'Identity') }
    }
    expect((await invited()).identity).to.equal(undefined)

    expect((await bench.api.patch(gateway, { is_signing: true })).status, 'without leave').to.equal(400)
    const maySign = async (call_signing: boolean) => {
      const answer = await appliance.operator.patch(`/workspaces/${workspace.id}`, { call_signing })
      expect(answer.body).to.include({ call_signing })
    }
    await maySign(true)
    expect((await bench.api.patch(gateway, { is_signing: true })).body).to.include({ is_signing: true })
    await query(appliance, "UPDATE phone_numbers SET verified_by = 'upgrade' WHERE id = ?", [numberId])
    for (const attest of ['B', 'A']) {
      const { invite, identity = '' } = await invited()
      expect(invite.text.match(/^Identity:/gim), 'once').to.have.length(1)
      expect(invite.text.length).to.be.above(1_500)
      expect(header(invite, 'Via')).to.match(/^SIP\/2\.0\/UDP/)
      expect(certificates.isRightToOthers(identity), identity).to.equal(true)
      expect(certificates.isRightToOthers(identity, 'impostor')).to.equal(false)
      expect(identity).to.contain(`;info=<${certificateUrl}>`)
      const claims = JSON.parse(Buffer.from(identity.split('.')[1]!, 'base64url').toString()) as object
      expect(claims).to.deep.include({ attest, orig: { tn: called }, dest: { tn: ['12025550101'] } })
      // A carrier that asks whose call it was names it so.
      expect(claims).to.include({ origid: invite.callId })
      const path = `/workspaces/${workspace.id}/phone-numbers/${numberId}`
      expect((await appliance.operator.patch(path, { is_verified: true })).status).to.equal(200)
    }
    const asOperator = appliance.operator.with({ host: `${workspace.id}.localhost` })
    expect((await asOperator.patch(gateway, { forwarded_caller: 'original' })).status).to.equal(200)
    await bench.runs([{ id: 'on', type: 'to_operator', params: { phone_number: '+12025550101' } }])
    const phone = await bench.caller()
    await phone.call(bench.number).answered()
    const handedOn = (await carrier!.messages()).filter(
      ({ method, status, direction }) => method === 'INVITE' && status === 0 && direction === 'received',
    )
    const identity = header(handedOn.at(-1)!, 'Identity') ?? ''
    const claims = JSON.parse(Buffer.from(identity.split('.')[1]!, 'base64url').toString()) as object
    expect(claims, 'of who called us').to.deep.include({ attest: 'C', orig: { tn: caller } })
    await bench.runs([{ id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }])
    await maySign(false)
    expect((await invited()).identity, 'the leave was taken back').to.equal(undefined)
  })

  it('are passed by what other software signs, withheld or not, and fail by their reasons', async () => {
    await callersAre('take')
    expect(await arrives(signed())).to.deep.include({ heard: 486, from: `+${caller}`, verified: passed })
    const withheld = await arrives(signed(), { Privacy: 'id' })
    expect(withheld).to.deep.include({ heard: 486, from: 'anonymous', verified: passed })
    const asserted = { 'P-Asserted-Identity': '<sip:+12125550177@x>' }
    expect((await arrives(signed('12125550177'), asserted)).verified).to.deep.equal(passed)
    expect((await arrives(signed(), asserted)).verified).to.deep.equal(failed('other_number'))
    const other = signed().replace(/^[^.]+/, Buffer.from('{"ppt":"div"}').toString('base64url'))
    expect((await arrives(`${other}\r\nIdentity: ${signed()}`)).verified).to.deep.equal(passed)
    const unsigned = { status: 'none', attestation: null, reason: null }
    expect(await arrives(null)).to.deep.include({ heard: 486, verified: unsigned })
  })

  it('are refused as RFC 8224 says where their ACL wants it', async () => {
    await callersAre('refuse')
    const key = createPrivateKey(certificates.read('carrier.key'))
    const origid = '123e4567-e89b-12d3-a456-426655440000'
    const iat = Math.floor(Date.now() / 1000) - 90
    const old = signedIdentity({ attest: 'A', orig: caller, dest: [called], iat, origid }, key, carrierUrl)
    for (const [identity, status, reason] of [
      [old, 403, 'stale'],
      [signed('12125550124'), 438, 'other_number'],
      [signed(caller, '12025550198'), 438, 'other_number'],
      [signed(caller, called, carrierUrl, 'impostor'), 438, 'bad_identity'],
      [signed(caller, called, impostorUrl, 'impostor'), 437, 'untrusted'],
      [signed(caller, called, web.url('/nothing.pem')), 436, 'no_certificate'],
      ['nonsense', 438, 'bad_identity'],
    ] as const) {
      const call = await arrives(identity)
      expect(call, reason).to.deep.include({ heard: status, sip_code: status, verified: failed(reason) })
      expect(call).to.include({ status: 'failed', hangup_cause: 'CALL_REJECTED', answered_at: null })
    }
    expect(await arrives(null)).to.include({ heard: 428, sip_code: 428, status: 'failed' })
    expect(await arrives(signed())).to.deep.include({ heard: 486, verified: passed })
    await callersAre('refuse_failed')
    expect(await arrives(null)).to.include({ heard: 486 })
    expect(await arrives('nonsense')).to.include({ heard: 438 })
    await callersAre('take')
  })

  it('are told to phones as verstat', async () => {
    const phones = PhoneBench.on(bench.bench)
    const account = await phones.account('reception')
    const phone = await phones.phone(account, { onCall: 486 })
    try {
      await bench.runs([{ id: 'ring', type: 'to_operator', params: { phone_number: 'reception' } }])
      await arrives(signed())
      const invite = (await phone.called(0)).received[0]!
      expect(header({ text: invite }, 'P-Asserted-Identity')).to.match(
        /^<sip:\+12125550123;verstat=TN-Validation-Passed@[^>]+;user=phone>$/,
      )
    } finally {
      await phones.closePhones()
    }
  })
})
