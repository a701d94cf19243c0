/** The kinds of SMS carriers. A kind is a folder here, and a line in this list. */
import type { AnyCarrierKind } from '../carrier-kind.js'
import { http } from './http/index.js'
import { smpp } from './smpp/index.js'

const kinds = [smpp, http] as const

export type CarrierKind = (typeof kinds)[number]['kind']

export const carrierKinds: readonly AnyCarrierKind[] = kinds

/** As the API and tables name them. */
export const carrierKindNames: readonly CarrierKind[] = kinds.map(({ kind }) => kind)

/** @throws for what is no kind */
export function kindNamed(name: CarrierKind): AnyCarrierKind {
  const kind = carrierKinds.find((one) => one.kind === name)
  if (!kind) throw new Error(`no kind of carrier: ${name}`)
  return kind
}
