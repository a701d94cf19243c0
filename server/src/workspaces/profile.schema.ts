import Type, { type Static } from 'typebox'
import { CountryCode, Timestamp, Title } from '../http/shapes.js'

export const UpdateProfile = Type.Object({
  title: Type.Optional(Title(1, 64)),
  country_code: Type.Optional(CountryCode),
})
export type UpdateProfile = Static<typeof UpdateProfile>

/** The shape of a profile, whose limits have these names. */
export function profileShape(limits: readonly string[]) {
  const limit = Type.Object({ max: Type.Integer(), used: Type.Integer() })
  return Type.Object(
    {
      id: Type.String({ description: 'Also the first label of the workspace’s host name' }),
      title: Type.String(),
      country_code: Type.String(),
      credit_balance: Type.Number({ description: 'USD' }),
      limits: Type.Object(Object.fromEntries(limits.map((name) => [name, limit]))),
      counts: Type.Object({ live_calls: Type.Integer() }),
      created_at: Timestamp,
      updated_at: Timestamp,
    },
    { title: 'Profile' },
  )
}
