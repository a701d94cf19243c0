/** The keywords of JSON Schema that bound a value's size, and those that lead to schemas within. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly propertyNames?: JsonSchema
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly maxProperties?: number
}
