/** Push credentials with keys that were made for this run. */
import { generateKeyPairSync } from 'node:crypto'

/** A private key in PEM, as the push services hand them out. */
export function newPrivateKey(type: 'p256' | 'p384' | 'rsa'): string {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: type === 'p256' ? 'P-256' : 'P-384' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

export const iosCredential = {
  name: 'Our iOS app',
  platform: 'ios',
  ios_key_id: 'ABCDE12345',
  ios_team_id: 'TEAM123456',
  ios_private_key: newPrivateKey('p256'),
  ios_bundle_id: 'com.example.app',
  ios_environment: 'production',
}

export const serviceAccount = {
  type: 'service_account',
  project_id: 'our-app',
  client_email: 'push@our-app.iam.gserviceaccount.com',
  private_key: newPrivateKey('rsa'),
}

export const androidCredential = {
  name: 'Our Android app',
  platform: 'android',
  android_service_account: JSON.stringify(serviceAccount),
  android_package_name: 'com.example.app',
}
