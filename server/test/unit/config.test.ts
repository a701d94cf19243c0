import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError, readConfig } from '../../src/config/config.js'

const needed = {
  JACKFIELD_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  JACKFIELD_SECRET_KEY: randomBytes(32).toString('base64'),
  JACKFIELD_DATABASE_PASSWORD: 'x',
  JACKFIELD_SWITCH_PASSWORD: 'x',
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('configuration', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-config-'))
  })
  after(async () => rm(directory, { recursive: true }))

  async function file(name: string, content: string): Promise<string> {
    const path = join(directory, name)
    await writeFile(path, content)
    return path
  }

  it('has defaults for all but secrets', () => {
    const config = readConfig(needed)
    const public_url = 'http://{workspace}.localhost:8080'
    expect(config.http).to.deep.equal({
      ...{ host: '127.0.0.1', port: 8080, public_url, trusted_proxies: [] },
      ...{ tls_port: 0, tls_certificate_file: '', tls_key_file: '', challenge_directory: '' },
    })
    expect(config.rate_limits).to.deep.equal({
      ...{ default: 100, heavy: 30, sms: 30, auth: 10, pages: 20_000 },
      ...{ per_workspace: 20, per_address: 50 },
    })
    expect(config.secret_key).to.have.length(32)
    expect(config.media.directory).to.match(/^\//)
  })

  it('wants a media directory without blanks, which the switch could not play from', () => {
    const [problem] = problemsOf({ ...needed, JACKFIELD_MEDIA_DIRECTORY: '/srv/our media' })
    expect(problem).to.match(/^JACKFIELD_MEDIA_DIRECTORY .* must be a path without blanks: \/srv\/our media$/)
  })

  it('wants an address of the certificate to sign with that can stand in a header', () => {
    const files = { JACKFIELD_STIR_CERTIFICATE_FILE: 'a.pem', JACKFIELD_STIR_KEY_FILE: 'a.key' }
    const problems = (url: string) => problemsOf({ ...needed, ...files, JACKFIELD_STIR_CERTIFICATE_URL: url })
    expect(problems('https://carrier.example/a.pem?v=1,2')).to.deep.equal([])
    for (const url of [
      ...['http://carrier.example/a.pem', 'https://carrier.example/a b', 'https://carrier.example/a>;x=<b'],
      ...['https://carrier.example/a\r\nVia: x', 'https://carrier.example/"', 'https://carrier.example/ä'],
      ...[`https://carrier.example/${'x'.repeat(1_000)}`, 'https://', ''],
    ])
      expect(problems(url).join(), url).to.match(/^JACKFIELD_STIR_CERTIFICATE/)
  })

  it('names every setting that is missing or wrong, at once', () => {
    const problems = problemsOf({
      JACKFIELD_OPERATOR_TOKEN: 'short',
      JACKFIELD_SECRET_KEY: 'AAAA',
      JACKFIELD_HTTP_PORT: '65536',
      JACKFIELD_HTTP_HOST: 'localhost',
      JACKFIELD_HTTP_PUBLIC_URL: 'https://example.com',
      JACKFIELD_BASE_DOMAIN: 'Example.com',
      JACKFIELD_LOG_LEVEL: 'loud',
      JACKFIELD_DATABASE_POOL: '1e2',
      JACKFIELD_CALLS_DEFAULT_FEE_PER_MINUTE: '-1',
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '10.0.0.0/8, 10.0.0.1',
      JACKFIELD_HTTP_CLIENT_DNS_SERVERS: 'localhost',
    })
    const named = problems.map((problem) => problem.split(' ')[0])
    expect(named).to.have.members([
      'JACKFIELD_OPERATOR_TOKEN',
      'JACKFIELD_SECRET_KEY',
      'JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS',
      'JACKFIELD_HTTP_CLIENT_DNS_SERVERS',
      'JACKFIELD_HTTP_PORT',
      'JACKFIELD_HTTP_HOST',
      'JACKFIELD_HTTP_PUBLIC_URL',
      'JACKFIELD_BASE_DOMAIN',
      'JACKFIELD_LOG_LEVEL',
      'JACKFIELD_DATABASE_POOL',
      'JACKFIELD_DATABASE_PASSWORD',
      'JACKFIELD_SWITCH_PASSWORD',
      'JACKFIELD_CALLS_DEFAULT_FEE_PER_MINUTE',
    ])
    expect(problems.join()).to.include('http.port').and.to.include('from 1 to 65535')
    expect(problems.join()).not.to.include('short')
  })

  it('takes secrets from files, and prefers a value that is given itself', async () => {
    const path = await file('token', 'token-from-a-file-of-the-test\n')
    const { JACKFIELD_OPERATOR_TOKEN: _, ...others } = needed
    const config = readConfig({ ...others, JACKFIELD_OPERATOR_TOKEN_FILE: path })
    expect(config.operator_token).to.equal('token-from-a-file-of-the-test')
    expect(readConfig({ ...needed, JACKFIELD_OPERATOR_TOKEN_FILE: path }).operator_token).to.equal(
      needed.JACKFIELD_OPERATOR_TOKEN,
    )
    const problems = problemsOf({ ...others, JACKFIELD_OPERATOR_TOKEN_FILE: '/nowhere/token' })
    expect(problems.join()).to.include('JACKFIELD_OPERATOR_TOKEN_FILE: cannot read /nowhere/token')
  })

  it('takes settings from a JSON file; the environment goes before it', async () => {
    const path = await file(
      'config.json',
      JSON.stringify({
        http: { port: 9000 },
        database: { password: 'with "quotes" \\ and é' },
        log: { level: 'error' },
      }),
    )
    const { JACKFIELD_DATABASE_PASSWORD: _, ...others } = needed
    const config = readConfig({ ...others, JACKFIELD_CONFIG: path, JACKFIELD_LOG_LEVEL: 'debug' })
    expect(config.http.port).to.equal(9000)
    expect(config.database.password).to.equal('with "quotes" \\ and é')
    expect(config.log.level).to.equal('debug')
  })

  it('names the model of new voice agents', () => {
    expect(readConfig(needed).voice_agents).to.deep.equal({
      silence_seconds: 10,
      default_model: 'gpt-realtime',
    })
    const named = { ...needed, JACKFIELD_VOICE_AGENTS_DEFAULT_MODEL: 'swift-1' }
    expect(readConfig(named).voice_agents.default_model).to.equal('swift-1')
    expect(problemsOf({ ...needed, JACKFIELD_VOICE_AGENTS_DEFAULT_MODEL: 'x'.repeat(101) })).to.deep.equal([
      'JACKFIELD_VOICE_AGENTS_DEFAULT_MODEL (voice_agents.default_model) must be 1 to 100 characters',
    ])
  })

  it('refuses a file that cannot be read', async () => {
    const broken = await file('broken.json', '{')
    expect(problemsOf({ ...needed, JACKFIELD_CONFIG: broken })).to.have.length(1)
    expect(problemsOf({ ...needed, JACKFIELD_CONFIG: '/nowhere.json' })[0]).to.include('/nowhere.json')
  })
})
