/** Phone numbers, as the workspace has them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { PhoneNumber } from './phone-number.entity.js'
import { NumberQuery, PhoneNumberShape, UpdateNumber } from './phone-number.schema.js'

/** Contract, section Limits. */
export const maxNumbers = 100

/** To show one, with its trunks, and to connect one are endpoints of their own. */
export const phoneNumberResource = resource({
  ...{ path: '/phone-numbers', noun: 'phone number', tag: 'Phone numbers', unknown: 'No such number' },
  ...{ id: 'pn', table: PhoneNumber, search: ['title', 'number'] },
  shape: PhoneNumberShape,
  list: { query: NumberQuery },
  update: { body: UpdateNumber },
  delete: { errors: { 409: 'Something uses it' } },
})
