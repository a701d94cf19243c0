import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, keyRights, startUnlimited, succeed } from './fixtures.js'
import { androidCredential, iosCredential, newPrivateKey, serviceAccount } from './push-fixtures.js'

const secretKey = randomBytes(32)
const limit = 5

function fingerprintOf(privateKey: string): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('hex')
}

describe('push credentials', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_SECRET_KEY: secretKey.toString('base64'),
      JACKFIELD_LIMITS_PUSH_CREDENTIALS: String(limit),
    })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const ios = async (changes: object = {}) =>
    api.post('/push-credentials', { ...iosCredential, api_key_sid: workspace.sid, ...changes })
  const android = async (changes: object = {}) =>
    api.post('/push-credentials', { ...androidCredential, api_key_sid: workspace.sid, ...changes })
  const newSid = async (): Promise<string> => (await succeed(api.post('/api-keys', keyRights))).sid

  /** The private key that the next push would be signed with. */
  async function keyOf(id: string): Promise<string> {
    const [row] = await query(appliance, 'SELECT private_key FROM push_credentials WHERE id = ?', [id])
    return new SecretBox(new Keyring(secretKey)).open(row.private_key, `push_credential:${id}`)
  }

  async function expectNowhere(secret: string): Promise<void> {
    // The middle of a PEM, as the tables might hold it with other line ends.
    const middle = secret.split(/\\n|\n/)[1]!
    expect(middle).to.have.length.greaterThan(30)
    expect(await tablesHolding(appliance, middle)).to.deep.equal([])
    expect(appliance.log).not.to.include(middle)
  }

  it('wake iOS apps, and never show their key', async () => {
    const ios_private_key = newPrivateKey('p256')
    const made = await succeed(ios({ ios_private_key }))
    const { ios_private_key: _, ...shown } = iosCredential
    expect(made.id).to.match(/^pc_/)
    expect(made).to.deep.equal({
      ...{ id: made.id, workspace_id: workspace.id, api_key_sid: workspace.sid, ...shown },
      ...{ android_project_id: null, android_client_email: null, android_package_name: null },
      key_fingerprint: fingerprintOf(ios_private_key),
      ...{ last_error: null, last_error_at: null, created_at: made.created_at, updated_at: made.created_at },
    })
    expect(await succeed(api.get(`/push-credentials/${made.id}`))).to.deep.equal(made)
    expect((await succeed(api.get('/push-credentials'))).data).to.deep.equal([made])
    expect(await keyOf(made.id)).to.equal(ios_private_key)
    await expectNowhere(ios_private_key)
    expect(await succeed(api.delete(`/push-credentials/${made.id}`))).to.deep.equal(made)
    expect((await api.get(`/push-credentials/${made.id}`)).status).to.equal(404)
  })

  it('wake Android apps, and never show their key', async () => {
    const private_key = newPrivateKey('rsa')
    const account = {
      ...{ ...serviceAccount, private_key },
      token_uri: 'http://169.254.169.254/',
    }
    const made = await succeed(android({ android_service_account: JSON.stringify(account) }))
    expect(made).to.deep.equal({
      ...{ id: made.id, workspace_id: workspace.id, api_key_sid: workspace.sid },
      ...{ name: androidCredential.name, platform: 'android', android_package_name: 'com.example.app' },
      android_project_id: account.project_id,
      android_client_email: account.client_email,
      ...{ ios_key_id: null, ios_team_id: null, ios_bundle_id: null, ios_environment: null },
      key_fingerprint: fingerprintOf(private_key),
      ...{ last_error: null, last_error_at: null, created_at: made.created_at, updated_at: made.created_at },
    })
    expect(await keyOf(made.id)).to.equal(private_key)
    await expectNowhere(private_key)
    expect(await tablesHolding(appliance, '169.254.169.254')).to.deep.equal([])
  })

  it('ask for all that their platform needs, and for nothing of the other', async () => {
    const base = { name: 'App', api_key_sid: workspace.sid }
    const post = async (body: object) => fieldsOf(await api.post('/push-credentials', body))
    const { name: _, platform: __, ...iosFields } = iosCredential
    expect(await post({ ...base, platform: 'ios' })).to.have.members(Object.keys(iosFields))
    for (const field of Object.keys(iosFields)) {
      expect(fieldsOf(await ios({ [field]: undefined }))).to.deep.equal([field])
      expect(
        fieldsOf(await android({ [field]: iosCredential[field as keyof typeof iosCredential] })),
      ).to.deep.equal([field])
    }
    expect(await post({ ...base, platform: 'android' })).to.deep.equal(['android_service_account'])
    expect((await android({ android_package_name: undefined })).body.android_package_name).to.equal(null)
    const { android_service_account, android_package_name } = androidCredential
    expect(fieldsOf(await ios({ android_service_account, android_package_name }))).to.have.members([
      'android_service_account',
      'android_package_name',
    ])
    expect(await post({})).to.have.members(['name', 'api_key_sid', 'platform'])
    expect(await post({ ...base, platform: 'windows' })).to.deep.equal(['platform'])
  })

  it('check each field', async () => {
    const wrong = {
      name: ['', 'x'.repeat(65), 'a\nb'],
      ios_key_id: ['ABCDE1234', 'ABCDE123456', 'ABCDE-1234'],
      ios_team_id: ['', 'ABCDE123456'],
      ios_bundle_id: ['', 'com.example/app', 'x'.repeat(156)],
      ios_environment: ['test', ''],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values)
        expect(fieldsOf(await ios({ [field]: value })), value).to.deep.equal([field])
    }
    for (const android_package_name of ['', 'app', 'com..app', '1com.app', `com.${'x'.repeat(252)}`]) {
      expect(fieldsOf(await android({ android_package_name }))).to.deep.equal(['android_package_name'])
    }
  })

  it('take an iOS key of the curve P-256 in PKCS#8, and tell no key that they refuse', async () => {
    const sec1 = newPrivateKey('p256').replaceAll('PRIVATE KEY', 'EC PRIVATE KEY')
    const cut = newPrivateKey('p256').replace(/\n.{20}/, '\n')
    const publicKey = createPublicKey(newPrivateKey('p256')).export({ type: 'spki', format: 'pem' }) as string
    for (const key of [
      '',
      'x',
      newPrivateKey('p384'),
      newPrivateKey('rsa'),
      sec1,
      cut,
      publicKey,
      'x'.repeat(4097),
    ]) {
      const answer = await ios({ ios_private_key: key })
      expect(fieldsOf(answer), key.slice(0, 40)).to.deep.equal(['ios_private_key'])
      if (key.length > 50) expect(JSON.stringify(answer.body)).not.to.include(key.slice(30, 60))
    }
    expect(
      (await ios({ ios_private_key: `\n${newPrivateKey('p256').replaceAll('\n', '\r\n')}` })).status,
    ).to.equal(201)
  })

  it('take a key without its armour, and as files and forms spoil it, and keep it as PEM', async () => {
    const key = newPrivateKey('p256')
    const base64 = key.replaceAll(/-----[^-]+-----|\n/g, '')
    const spoilt = {
      'bare base64': base64,
      'lines of base64': key.replaceAll(/-----[^-]+-----/g, ''),
      'escaped line breaks': key.replaceAll('\n', '\\n'),
      'spaces in place of line breaks': key.trim().replaceAll('\n', ' '),
      'the file in base64': Buffer.from(key).toString('base64'),
    }
    const made = await succeed(ios())
    for (const [how, ios_private_key] of Object.entries(spoilt)) {
      const path = `/push-credentials/${made.id}`
      await succeed(api.patch(path, { ios_private_key: newPrivateKey('p256') }))
      const changed = await succeed(api.patch(path, { ios_private_key }))
      expect(changed.key_fingerprint, how).to.equal(fingerprintOf(key))
      expect(await keyOf(made.id), how).to.equal(key)
    }
    const bare = (text: string) => text.replaceAll(/-----[^-]+-----|\n/g, '')
    const noKeys = [
      ...[bare(newPrivateKey('p384')), bare(newPrivateKey('rsa')), base64.slice(0, -8), base64.slice(4)],
      ...[`${base64}!`, Buffer.from('x'.repeat(150)).toString('base64'), 'not a key at all'],
      ...[Buffer.from(Buffer.from(key).toString('base64')).toString('base64')],
    ]
    for (const ios_private_key of noKeys) {
      const answer = await api.patch(`/push-credentials/${made.id}`, { ios_private_key })
      expect(fieldsOf(answer), ios_private_key.slice(0, 40)).to.deep.equal(['ios_private_key'])
      expect(JSON.stringify(answer.body)).not.to.include(ios_private_key.slice(8, 40))
    }
    expect(await keyOf(made.id)).to.equal(key)
  })

  it('take a service account with an RSA key, and tell no key that they refuse', async () => {
    const changed = (changes: object) => JSON.stringify({ ...serviceAccount, ...changes })
    const broken = [
      ...['', '{', 'null', '[]', '"x"', '{}', 'x'.repeat(16_385)],
      ...['type', 'project_id', 'client_email', 'private_key'].map((field) =>
        changed({ [field]: undefined }),
      ),
      ...[
        { type: 'authorized_user' },
        { project_id: '' },
        { client_email: 1 },
        { project_id: 'x'.repeat(129) },
      ].map(changed),
      ...[newPrivateKey('p256'), 'x', serviceAccount.private_key.slice(0, 400), { toString: 1 }].map(
        (private_key) => changed({ private_key }),
      ),
    ]
    for (const android_service_account of broken) {
      const answer = await android({ android_service_account })
      expect(fieldsOf(answer), android_service_account.slice(0, 60)).to.deep.equal([
        'android_service_account',
      ])
      expect(JSON.stringify(answer.body)).not.to.include('BEGIN')
    }
  })

  it('are one for each key and platform', async () => {
    const { id } = await succeed(ios())
    expect((await ios()).status).to.equal(409)
    expect((await android()).status).to.equal(201)
    const api_key_sid = await newSid()
    const second = await succeed(ios({ api_key_sid }))
    expect(
      (await api.patch(`/push-credentials/${second.id}`, { api_key_sid: workspace.sid })).status,
    ).to.equal(409)
    await succeed(api.delete(`/push-credentials/${id}`))
    const moved = await succeed(api.patch(`/push-credentials/${second.id}`, { api_key_sid: workspace.sid }))
    expect(moved.api_key_sid).to.equal(workspace.sid)
    const foreign = await appliance.workspace()
    for (const sid of [foreign.sid, 'sid-unknown', 'nonsense', `sid-${'x'.repeat(37)}`]) {
      expect(fieldsOf(await ios({ api_key_sid: sid })), sid).to.deep.equal(['api_key_sid'])
      const answer = await api.patch(`/push-credentials/${second.id}`, { api_key_sid: sid })
      expect(fieldsOf(answer), sid).to.deep.equal(['api_key_sid'])
    }
  })

  it('change their key at once, and keep what is not sent', async () => {
    const made = await succeed(ios())
    const ios_private_key = newPrivateKey('p256')
    const path = `/push-credentials/${made.id}`
    const rotated = await succeed(api.patch(path, { ios_private_key, ios_key_id: 'NEWKEY0001' }))
    expect(rotated).to.deep.equal({
      ...{ ...made, ios_key_id: 'NEWKEY0001', key_fingerprint: fingerprintOf(ios_private_key) },
      updated_at: rotated.updated_at,
    })
    expect(rotated.key_fingerprint).not.to.equal(made.key_fingerprint)
    expect(await keyOf(made.id)).to.equal(ios_private_key)
    await expectNowhere(ios_private_key)
    expect((await succeed(api.patch(path, { name: 'Renamed' }))).key_fingerprint).to.equal(
      rotated.key_fingerprint,
    )
    expect(await keyOf(made.id)).to.equal(ios_private_key)
    expect(fieldsOf(await api.patch(path, { android_package_name: 'com.example.app' }))).to.deep.equal([
      'android_package_name',
    ])
    expect(fieldsOf(await api.patch(path, { platform: 'android' }))).to.deep.equal(['platform'])
    expect(fieldsOf(await api.patch(path, { ios_private_key: newPrivateKey('rsa') }))).to.deep.equal([
      'ios_private_key',
    ])
    expect(await keyOf(made.id)).to.equal(ios_private_key)

    const other = await succeed(android())
    const private_key = newPrivateKey('rsa')
    const account = { ...serviceAccount, private_key, project_id: 'moved' }
    const changed = await succeed(
      api.patch(`/push-credentials/${other.id}`, { android_service_account: JSON.stringify(account) }),
    )
    expect(changed).to.include({ android_project_id: 'moved', key_fingerprint: fingerprintOf(private_key) })
    expect(await keyOf(other.id)).to.equal(private_key)

    const entries = await query(
      appliance,
      "SELECT changes FROM audit_log WHERE target_id = ? AND action = 'push_credential.update' ORDER BY id",
      [made.id],
    )
    expect(entries[0].changes).to.deep.include({
      private_key: { from: '(hidden)', to: '(hidden)' },
      ios_key_id: { from: made.ios_key_id, to: 'NEWKEY0001' },
    })
  })

  it('hold the API key that they serve', async () => {
    const api_key_sid = await newSid()
    const { id } = await succeed(ios({ api_key_sid, name: 'My app' }))
    const refused = await api.delete(`/api-keys/${api_key_sid}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include('the push credential My app')
    await succeed(api.delete(`/push-credentials/${id}`))
    expect((await api.delete(`/api-keys/${api_key_sid}`)).status).to.equal(200)
  })

  it('never outlive the API key that they serve, when both are asked at once', async () => {
    for (let round = 0; round < 5; round++) {
      const api_key_sid = await newSid()
      const [made, revoked] = await Promise.all([
        ios({ api_key_sid }),
        api.delete(`/api-keys/${api_key_sid}`),
      ])
      expect([made.status, revoked.status]).to.be.deep.oneOf([
        [201, 409],
        [400, 200],
      ])
      if (made.status === 201) await succeed(api.delete(`/push-credentials/${made.body.id}`))
    }
  })

  it('are as many as the operator allows, also when two servers are asked at once', async () => {
    const sids: string[] = []
    for (let index = 0; index < 8; index++) sids.push(await newSid())
    const port = await appliance.startAnotherServer()
    const clients = [api, api.with({ port })]
    const post = async (index: number, api_key_sid: string) =>
      clients[index % 2]!.post('/push-credentials', { ...iosCredential, api_key_sid })
    const twins = await Promise.all([0, 1, 2, 3].map(async (index) => post(index, sids[0]!)))
    expect(twins.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409])
    const answers = await Promise.all(sids.slice(1).map(async (sid, index) => post(index, sid)))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(limit - 1)
    expect(answers.filter(({ status }) => status === 403)).to.have.length(sids.length - limit)
  })

  it('are listed in pages, sorted and searched by name, and go with their workspace', async () => {
    for (const name of ['Delta', 'alpha', 'Charlie'])
      await succeed(ios({ name, api_key_sid: await newSid() }))
    const namesOf = async (text: string) =>
      (await succeed(api.get(`/push-credentials?${text}`))).data.map(({ name }: { name: string }) => name)
    expect(await namesOf('')).to.deep.equal(['Charlie', 'alpha', 'Delta'])
    expect(await namesOf('sort_field=name&sort_order=asc&limit=2')).to.deep.equal(['alpha', 'Charlie'])
    expect(await namesOf('search=ELT')).to.deep.equal(['Delta'])
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    expect(await query(appliance, 'SELECT id FROM push_credentials WHERE workspace_id = ?', [workspace.id]))
      .to.be.empty
  })
})
