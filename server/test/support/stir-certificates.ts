/** Certificates of carriers that sign calls, made with openssl, and libsecsipid to sign and check with. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf } from './paths.js'

const program = pathOf('server/test/support/secsipid.py')

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const leaf = 'basicConstraints=critical,CA:false\n'
const tnAuthList = '1.3.6.1.5.5.7.1.26=ASN1:SEQUENCE:list\n[list]\n'
const range = 'many=EXP:1,SEQUENCE:range\n[range]\nstart=IA5:12125550100\ncount=INTEGER:300\n'

/**
 * `authority` certifies `between`, and that `carrier`, for all numbers of a carrier, `numbers`, for +12025550199 and
 * +12125550100 to +12125550399, and `unlisted`, for none; `stranger` certifies `impostor`. `last` certifies signers only,
 * such as `direct`; it has certified `beyond` all the same, and that `distant`.
 */
export class StirCertificates {
  private readonly folder = mkdtempSync(join(tmpdir(), 'jackfield-stir-'))

  constructor() {
    for (const name of ['authority', 'stranger'])
      openssl(
        ...['req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`],
        ...['-keyout', this.path(`${name}.key`), '-out', this.path(`${name}.pem`)],
      )
    this.issue('between', 'authority', 'basicConstraints=critical,CA:true\n')
    const ofCarrier = `${leaf}${tnAuthList}carrier=EXP:0,IA5:709J\n`
    this.issue('carrier', 'between', ofCarrier)
    this.issue('impostor', 'stranger', ofCarrier)
    this.issue('numbers', 'between', `${leaf}${tnAuthList}one=EXP:2,IA5:12025550199\n${range}`)
    this.issue('unlisted', 'between', leaf)
    this.issue('last', 'authority', 'basicConstraints=critical,CA:true,pathlen:0\n')
    this.issue('direct', 'last', ofCarrier)
    this.issue('beyond', 'last', 'basicConstraints=critical,CA:true\n')
    this.issue('distant', 'beyond', ofCarrier)
  }

  /** Of a file: `<name>.pem`, or `<name>.key`. */
  path(file: string): string {
    return join(this.folder, file)
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8')
  }

  /** A certificate, and that between it and the authority, as carriers serve them. */
  chain(name: string): Buffer {
    return Buffer.from(this.read(`${name}.pem`) + this.read('between.pem'))
  }

  /** An Identity header as libsecsipid writes it, of this moment. */
  signedByOthers(orig: string, dest: string, attest: string, x5u: string, name = 'carrier'): string {
    const origid = '123e4567-e89b-12d3-a456-426655440000'
    return python('sign', orig, dest, attest, origid, x5u, this.path(`${name}.key`))
  }

  /** Whether libsecsipid finds a header signed by the key of a certificate, and not old. */
  isRightToOthers(identity: string, name = 'carrier'): boolean {
    return python('check', identity, this.path(`${name}.pem`)) === '0'
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  private issue(name: string, issuer: string, extensions: string): void {
    writeFileSync(this.path('extensions'), extensions)
    const request = this.path(`${name}.csr`)
    openssl(
      ...['req', ...newKey, '-subj', `/CN=${name}`],
      ...['-keyout', this.path(`${name}.key`), '-out', request],
    )
    openssl(
      ...['x509', '-req', '-days', '2', '-in', request, '-extfile', this.path('extensions')],
      ...['-CA', this.path(`${issuer}.pem`), '-CAkey', this.path(`${issuer}.key`), '-CAcreateserial'],
      ...['-out', this.path(`${name}.pem`)],
    )
  }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}

function python(...args: string[]): string {
  return execFileSync('python3', [program, ...args], { encoding: 'utf8' }).trim()
}
