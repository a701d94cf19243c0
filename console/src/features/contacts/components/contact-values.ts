/** Form values of a contact. */
export interface ContactValues extends Record<string, unknown> {
  name: string
  numbers: string[]
  email: string
  notes: string
  address_book_id: string | null
  fields: CustomField[]
}

export interface CustomField {
  name: string
  value: string
}
