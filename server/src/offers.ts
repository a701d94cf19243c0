/** AI models and voices that the operator offers, as the configuration lists them. */
import { Ajv } from 'ajv'
import Type, { type Static } from 'typebox'

const word = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })

/** One model or voice. Languages are BCP 47 tags; none means that it is not tied to any. */
export const Offer = Type.Object(
  {
    id: word,
    provider: word,
    name: word,
    languages: Type.Array(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }), { maxItems: 200 }),
  },
  { additionalProperties: false },
)
export type Offer = Static<typeof Offer>

const isList = new Ajv().compile<Offer[]>(Type.Array(Offer, { maxItems: 500 }))

/** Reads a JSON list of offers with ids of their own, or undefined when the text is none. */
export function readOffers(text: string): readonly Offer[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return isList(list) && new Set(list.map(({ id }) => id)).size === list.length ? list : undefined
  } catch {
    return undefined
  }
}
