import { Select } from '@mantine/core'
import { wordOf } from '../../../api/lists'
import { Picker } from '../../../design/picker'
import type { FilterProps } from '../../../design/resource-page'
import { useTexts } from '../../../i18n/texts'
import { type ExtensionsSearch, destinationKinds, destinations } from '../queries'
import { extensionsTexts } from '../texts'

/** What they lead to: the kind, then which one. */
export function ExtensionFilters({ search, onChange }: FilterProps<ExtensionsSearch>) {
  const t = useTexts(extensionsTexts)
  const { destination, target } = search
  return (
    <>
      <Select
        aria-label={t('destination')}
        placeholder={t('anyDestination')}
        clearable
        clearButtonProps={{ 'aria-label': t('anyDestination') }}
        data={destinationKinds.map((kind) => ({ value: kind, label: t(kind) }))}
        value={destination ?? null}
        onChange={(kind) => onChange({ destination: wordOf(kind, destinationKinds), target: undefined })}
        w={170}
      />
      {destination && (
        <Picker
          key={destination}
          aria-label={t(destination)}
          placeholder={t(destination)}
          clearable
          source={destinations[destination].source}
          value={target ?? null}
          onChange={(id) => onChange({ target: id ?? undefined })}
          w={200}
        />
      )}
    </>
  )
}
