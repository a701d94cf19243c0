/** Options for models and voices: those of active providers, and the selected one even if no provider offers it any more. */
import type { Offer } from '../queries'

export interface Choice {
  group: string
  items: { value: string; label: string }[]
}

function labelOf({ name, languages }: Offer): string {
  return languages.length > 0 ? `${name} (${languages.join(', ')})` : name
}

/** @param lacking group label of a selected option that no provider offers */
export function choicesOf(offers: readonly Offer[], chosen: string | null, lacking: string): Choice[] {
  const providers = [...new Set(offers.map(({ provider }) => provider))]
  // Ids must be unique in a select: the first provider that offers an id wins.
  const seen = new Set<string>()
  const isFirst = ({ id }: Offer) => !seen.has(id) && seen.add(id).size > 0
  const groups = providers.map((provider) => ({
    group: provider,
    items: offers
      .filter((offer) => offer.provider === provider && isFirst(offer))
      .map((offer) => ({ value: offer.id, label: labelOf(offer) })),
  }))
  const isOffered = chosen === null || offers.some(({ id }) => id === chosen)
  return isOffered ? groups : [{ group: lacking, items: [{ value: chosen, label: chosen }] }, ...groups]
}

/** Voices that fit a model: those of its provider. */
export function voicesFor(
  modelId: string,
  models: readonly Offer[],
  voices: readonly Offer[],
): readonly Offer[] {
  const provider = models.find(({ id }) => id === modelId)?.provider
  return voices.filter((voice) => voice.provider === provider)
}

/** Display name. */
export function nameOf(offers: readonly Offer[], id: string): string {
  return offers.find((offer) => offer.id === id)?.name ?? id
}
