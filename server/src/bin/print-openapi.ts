/** Prints the OpenAPI document; the SDK's types are generated from it. */
import { randomBytes } from 'node:crypto'
import { App } from '../app/app.js'
import { readConfig } from '../config/config.js'

// The document depends on no setting: what is required is filled with anything.
const secret = randomBytes(32).toString('base64')
const config = readConfig({
  JACKFIELD_OPERATOR_TOKEN: secret,
  JACKFIELD_SECRET_KEY: secret,
  JACKFIELD_DATABASE_PASSWORD: '',
  JACKFIELD_SWITCH_PASSWORD: '',
})
process.stdout.write(`${JSON.stringify(new App(config).openApi(), null, 2)}\n`)
