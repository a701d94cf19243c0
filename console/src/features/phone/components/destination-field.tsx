/**
 * The one field for all that can be called, or take a call over. Its list stands below the field and moves what follows:
 * it covers neither errors nor buttons.
 */
import { Combobox, Loader, Text, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { messageOf } from '../../../api/errors'
import { useTexts } from '../../../i18n/texts'
import { type Destination, destinationsQuery, groupsOf, keyOf } from '../destinations'
import { phoneTexts } from '../texts'
import { DestinationOption } from './destination-option'

/** Pause of typing after which is searched, in milliseconds. */
const pauseMs = 200

interface DestinationFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onSelect'> {
  /** What is written in the field. */
  text: string
  onText: (text: string) => void
  /** The destination that was chosen from the list; null after typing. */
  chosen: Destination | null
  onChoose: (destination: Destination) => void
  /** Whether suggestions are shown before anything is typed. */
  suggests: boolean
  /** Why a destination cannot be chosen; null if it can. */
  refusalOf: (destination: Destination) => string | null
}

/** The destinations that a text finds. */
function useDestinations(text: string, enabled: boolean) {
  const [term] = useDebouncedValue(text.trim(), pauseMs)
  const query = useQuery({ ...destinationsQuery(term), placeholderData: keepPreviousData, enabled })
  return { ...query, isBehind: query.isFetching || term !== text.trim() }
}

export function DestinationField({
  text,
  onText,
  chosen,
  onChoose,
  suggests,
  refusalOf,
  ...props
}: DestinationFieldProps) {
  const t = useTexts(phoneTexts)
  const [mayOpen, setMayOpen] = useState(suggests)
  const isAsked = chosen === null && (suggests || text.trim() !== '')
  const { data: found = [], error, isBehind } = useDestinations(text, isAsked)
  const isOpen = isAsked && mayOpen
  const combobox = useCombobox({ opened: isOpen, onOpenedChange: setMayOpen })
  const { selectFirstOption, resetSelectedOption } = combobox
  useEffect(() => {
    // Enter takes the best match of a text, and nothing as long as none is typed.
    if (isOpen && text.trim() !== '' && !isBehind) selectFirstOption()
    else resetSelectedOption()
  }, [isOpen, text, isBehind, found, selectFirstOption, resetSelectedOption])
  const choose = (key: string) => {
    const destination = found.find((one) => keyOf(one) === key)
    if (!destination) return
    onChoose(destination)
    combobox.closeDropdown()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Tab') combobox.closeDropdown()
    // The dialog stays open when Escape closes the list.
    if (event.key === 'Escape' && isOpen) event.stopPropagation()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...props}
          role="combobox"
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={text}
          rightSection={isAsked && isBehind ? <Loader size="xs" /> : null}
          onChange={({ currentTarget }) => {
            onText(currentTarget.value)
            combobox.openDropdown()
          }}
          onClick={() => combobox.openDropdown()}
          onKeyDownCapture={pressed}
        />
      </Combobox.Target>
      {isOpen && (
        <Combobox.Options mah="16rem" className="jf-destinations" aria-label={t('destinations')}>
          {groupsOf(found).map(({ kind, found: those }) => (
            <Combobox.Group key={kind} label={t(`destination_${kind}`)}>
              {those.map((one) => (
                <DestinationOption key={keyOf(one)} destination={one} refusal={refusalOf(one)} />
              ))}
            </Combobox.Group>
          ))}
          {found.length === 0 && (
            <Combobox.Empty>
              <Text size="sm" c="dimmed">
                {error ? messageOf(error) : t(isBehind ? 'searching' : 'noDestination')}
              </Text>
            </Combobox.Empty>
          )}
        </Combobox.Options>
      )}
    </Combobox>
  )
}
