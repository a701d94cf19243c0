/** A workspace with an app on both platforms, the services that carry its pushes, and what sends them. */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { Database } from '../../src/infrastructure/database/database.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { DeviceService } from '../../src/features/devices/device.service.js'
import { NotifiedDevices } from '../../src/features/devices/notified-devices.js'
import { entities } from '../../src/app/entities.js'
import { PushCredentialService } from '../../src/features/push/push-credential.service.js'
import { PushService } from '../../src/features/push/push.service.js'
import { InUse } from '../../src/infrastructure/resources/in-use.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { succeed } from '../api/fixtures.js'
import { androidCredential, iosCredential, serviceAccount } from '../api/push-fixtures.js'
import { ApnsServer } from './apns-server.js'
import type { Appliance, TestWorkspace } from './appliance.js'
import { FcmServer } from './fcm-server.js'

export interface PushServers {
  apns: ApnsServer
  fcm: FcmServer
  /** Settings of a server that pushes to them. */
  settings: Record<string, string>
  stop: () => Promise<void>
}

/** Starts both services; they know the keys of the fixtures. */
export async function startPushServers(): Promise<PushServers> {
  const [apns, fcm] = await Promise.all([ApnsServer.start(), FcmServer.start()])
  apns.know(iosCredential.ios_key_id, iosCredential.ios_team_id, iosCredential.ios_private_key)
  fcm.know(serviceAccount.client_email, serviceAccount.private_key)
  return {
    ...{ apns, fcm, settings: { ...apns.settings, ...fcm.settings } },
    stop: async () => {
      await Promise.all([apns.stop(), fcm.stop()])
    },
  }
}

/** The push service as a server has it, on the database of an appliance. */
export async function pushServiceOf(
  { mariadb, databaseName }: Appliance,
  secretKey: Buffer,
  { settings }: PushServers,
): Promise<{ push: PushService; stop: () => Promise<void> }> {
  const { host, port, user, password } = mariadb
  const database = new Database(
    { host, port, user, password, socket: '', name: databaseName, pool: 4 },
    entities,
  )
  await database.connect()
  const log = pino({ level: 'silent' })
  const secrets = new SecretBox(new Keyring(secretKey))
  const devices = new DeviceService(database)
  const rung = new NotifiedDevices(database)
  const push = new PushService({
    ...{ secrets, log },
    credentials: new PushCredentialService(database, secrets, new InUse(), 50, log),
    devices: {
      ringable: async (userDialer) => rung.ringable(userDialer),
      forget: async (device, token) => devices.forget(device, token),
    },
    addresses: {
      apns_host: settings['JACKFIELD_PUSH_APNS_HOST'] ?? '',
      apns_ca_file: settings['JACKFIELD_PUSH_APNS_CA_FILE'] ?? '',
      fcm_url: settings['JACKFIELD_PUSH_FCM_URL'] ?? '',
      fcm_token_url: settings['JACKFIELD_PUSH_FCM_TOKEN_URL'] ?? '',
    },
  })
  return {
    push,
    stop: async () => {
      await push.stop()
      await database.close()
    },
  }
}

/** Gives a workspace a credential for each platform. */
export async function addPushCredentials({
  api,
  sid,
}: Pick<TestWorkspace, 'api' | 'sid'>): Promise<{ ios: string; android: string }> {
  const ios = await succeed(api.post('/push-credentials', { ...iosCredential, api_key_sid: sid }))
  const android = await succeed(api.post('/push-credentials', { ...androidCredential, api_key_sid: sid }))
  return { ios: ios.id, android: android.id }
}

export const newApnsToken = () => randomBytes(32).toString('hex')
export const newFcmToken = () =>
  `${randomBytes(11).toString('base64url')}:APA91b${randomBytes(90).toString('base64url')}`
