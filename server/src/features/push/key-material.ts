/** Reads the keys of the push services. Errors say what is wrong with a key without showing it. */
import { type KeyObject, createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { Ajv } from 'ajv'
import Type from 'typebox'
import { printable } from '../../infrastructure/http/shapes.js'
import { invalidField } from '../../infrastructure/http/errors.js'

/** A private key as it is kept, and what may be shown of it. */
export interface ReadKey {
  /** PKCS#8 in PEM. */
  privateKey: string
  /** SHA-256 of the public half (SubjectPublicKeyInfo, DER), in hexadecimal. */
  fingerprint: string
}

interface ServiceAccount extends ReadKey {
  projectId: string
  clientEmail: string
}

/**
 * Reads an APNs authentication key: PKCS#8 on the curve P-256, as ES256 asks. The content of the .p8 file, or only the
 * base64 in it.
 * @throws 400
 */
export function readApnsKey(content: string): ReadKey {
  const key = parsed(content)
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw invalidField(
      'ios_private_key',
      'ios_private_key must be the content of a .p8 file: a PKCS#8 private key of the curve P-256, in PEM or as its base64',
    )
  }
  return kept(key)
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: printable })

const isServiceAccount = new Ajv({ meta: false, validateSchema: false }).compile<{
  project_id: string
  client_email: string
  private_key: string
}>(
  Type.Object({
    type: Type.Enum(['service_account']),
    project_id: text(128),
    client_email: text(254),
    private_key: Type.String(),
  }),
)

/**
 * Reads a service account file of Google. Only what signs and addresses is kept: its other fields hold
 * addresses that a customer must not choose for us.
 * @throws 400
 */
export function readServiceAccount(json: string): ServiceAccount {
  const account = parsedJson(json)
  if (!isServiceAccount(account)) {
    throw invalidField(
      'android_service_account',
      'android_service_account must be a JSON object with type service_account, project_id, client_email and private_key',
    )
  }
  const key = parsed(account.private_key)
  if (key?.asymmetricKeyType !== 'rsa') {
    throw invalidField(
      'android_service_account',
      'android_service_account must hold an RSA private key in PEM, or as its base64, as its private_key',
    )
  }
  return { projectId: account.project_id, clientEmail: account.client_email, ...kept(key) }
}

const armour = { begin: '-----BEGIN PRIVATE KEY-----', end: '-----END PRIVATE KEY-----' }

/** Line breaks may be missing, or written as `\\n`, as environment variables and form fields leave them. */
function parsed(content: string): KeyObject | null {
  const text = content.replaceAll(/\\[rn]/g, '\n').trim()
  const isPem = text.startsWith(armour.begin) && text.endsWith(armour.end)
  const body = isPem ? text.slice(armour.begin.length, -armour.end.length) : text
  const base64 = body.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const der = Buffer.from(base64, 'base64')
  // The whole file may have been encoded once more.
  if (!isPem && der.subarray(0, armour.begin.length).toString('latin1') === armour.begin) {
    return parsed(der.toString('latin1'))
  }
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function kept(key: KeyObject): ReadKey {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    fingerprint: createHash('sha256').update(publicKey).digest('hex'),
  }
}
