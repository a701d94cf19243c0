/** Chooses an agent and adds them to a team. */
import { Button, Group } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChoiceSource } from '../../../api/choices'
import { useAction } from '../../../api/use-action'
import { Picker } from '../../../design/picker'

interface AddPersonProps {
  label: string
  action: string
  source: ChoiceSource
  add: (agentId: string) => Promise<unknown>
  changes: readonly QueryKey[]
}

export function AddPerson({ label, action, source, add, changes }: AddPersonProps) {
  const [agentId, setAgentId] = useState<string | null>(null)
  const adding = useAction({ run: add, changes, onDone: () => setAgentId(null) })
  return (
    <Group align="flex-end" gap="sm">
      <Picker
        label={label}
        source={source}
        value={agentId}
        onChange={setAgentId}
        style={{ flex: '1 1 220px', maxWidth: 360 }}
      />
      <Button
        disabled={agentId === null}
        loading={adding.isPending}
        onClick={() => agentId !== null && adding.mutate(agentId)}
      >
        {action}
      </Button>
    </Group>
  )
}
