import { dataOf } from '@jackfield/sdk'
import {
  Alert,
  Checkbox,
  Collapse,
  Button,
  Grid,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  Text,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useEffect } from 'react'
import { api } from '../../../api/client'
import { isChanged } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useLeaveGuard } from '../../../design/leave-guard'
import { useTexts } from '../../../i18n/texts'
import { type Draft, type Offer, type Settings, type Tool, voiceAgentKey } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { useToolTitle } from '../tool-titles'
import { InstructionsChat } from './instructions-chat'
import { choicesOf, voicesFor } from './offers'
import { MannerFields } from './manner-fields'
import { TurnFields } from './turn-fields'
import { conflictsIn, useTheirs } from './use-theirs'
import { WordingFields } from './wording-fields'

interface Values extends Record<string, unknown> {
  greeting_message: string
  instructions: string
  model_id: string
  voice_id: string | null
  /** '' while the field is empty: the API reports that error. */
  temperature: number | string
  enable_noise_reduction: boolean
  turn_detection: Settings['turn_detection']
  turn_eagerness: Settings['turn_eagerness']
  turn_threshold: number | string
  turn_silence_ms: number | string
  interruption_ms: number | string
  ignore_backchannels: boolean
  language: string
  enable_dtmf: boolean
  tool_delay_message: Settings['tool_delay_message']
  max_call_duration_seconds: number | string
  functions: string[]
}

/** Labels of their fields. */
const labels = {
  greeting_message: 'greeting',
  instructions: 'instructions',
  model_id: 'model',
  voice_id: 'voice',
  temperature: 'temperature',
  enable_noise_reduction: 'noiseReduction',
  turn_detection: 'turnDetection',
  turn_eagerness: 'turnEagerness',
  turn_threshold: 'turnThreshold',
  turn_silence_ms: 'turnSilence',
  interruption_ms: 'interruption',
  ignore_backchannels: 'ignoreBackchannels',
  language: 'language',
  enable_dtmf: 'dtmf',
  tool_delay_message: 'toolDelayMessage',
  max_call_duration_seconds: 'maxDuration',
  functions: 'toolsOfVersion',
} as const

function valuesOf({ tools_id, ...shown }: Settings): Values {
  return {
    greeting_message: shown.greeting_message,
    instructions: shown.instructions,
    model_id: shown.model_id,
    voice_id: shown.voice_id,
    temperature: shown.temperature,
    enable_noise_reduction: shown.enable_noise_reduction,
    turn_detection: shown.turn_detection,
    turn_eagerness: shown.turn_eagerness,
    turn_threshold: shown.turn_threshold ?? '',
    turn_silence_ms: shown.turn_silence_ms ?? '',
    interruption_ms: shown.interruption_ms ?? '',
    ignore_backchannels: shown.ignore_backchannels,
    language: shown.language ?? '',
    enable_dtmf: shown.enable_dtmf,
    tool_delay_message: shown.tool_delay_message,
    max_call_duration_seconds: shown.max_call_duration_seconds,
    functions: tools_id,
  }
}

/** In the API's format: unset numbers are null. */
function sent(values: Values) {
  const number = (value: number | string) => (value === '' ? null : (value as number))
  return {
    ...(values as Values & { temperature: number; max_call_duration_seconds: number }),
    turn_threshold: number(values.turn_threshold),
    turn_silence_ms: number(values.turn_silence_ms),
    interruption_ms: number(values.interruption_ms),
    language: values.language.trim() || null,
  }
}

export function SettingsForm({
  id,
  settings,
  newest,
  onUnsaved,
  isPublished,
  models,
  voices,
  tools,
}: {
  id: string
  settings: Settings
  newest: () => Promise<Settings | undefined>
  onUnsaved: (isUnsaved: boolean) => void
  isPublished: boolean
  models: readonly Offer[]
  voices: readonly Offer[]
  tools: readonly Tool[]
}) {
  const t = useTexts(voiceAgentsTexts)
  const toolTitle = useToolTitle()
  const [isWriting, writing] = useDisclosure()
  const { version, updated_at } = settings
  const initialValues = valuesOf(settings)
  const sending = useApiForm<Values>({
    initialValues,
    version: updated_at,
    send: async (_, changed) =>
      dataOf(
        api.PATCH('/voice-agents/{id}/settings', {
          params: { path: { id } },
          body: {
            version,
            ...changed(sent),
          },
        }),
      ),
    changes: [voiceAgentKey(id)],
    fieldOf: (field) => (field.startsWith('functions') ? 'functions' : field),
  })
  const { form } = sending
  useLeaveGuard({ hasChanged: () => isChanged(form) })
  const isUnsaved = isChanged(form)
  useEffect(() => {
    onUnsaved(isUnsaved)
    return () => onUnsaved(false)
  }, [isUnsaved, onUnsaved])
  const theirs = useTheirs(form, initialValues, updated_at)
  const submit: typeof sending.submit = (event) => {
    event?.preventDefault()
    const send = async () => {
      const now = await newest()
      // Show other users' changes first.
      if (now && conflictsIn(form.getValues(), initialValues, valuesOf(now)).length > 0) return
      sending.submit()
    }
    void send()
  }
  const use = ({ instructions, greeting_message }: Draft) => {
    form.setFieldValue('instructions', instructions)
    if (greeting_message !== null) form.setFieldValue('greeting_message', greeting_message)
  }
  const lacking = t('notOffered')
  const { model_id, voice_id } = form.values
  return (
    <Grid gap="xl">
      {isPublished && (
        <Grid.Col span={12}>
          <Alert color="yellow">{t('publishedHint')}</Alert>
        </Grid.Col>
      )}
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <FormFrame api={{ ...sending, submit }} onlyChanged>
          {theirs.fields.length > 0 && (
            <Alert color="yellow" role="alert">
              <Stack gap="xs" align="flex-start">
                {t('changedMeanwhile', {
                  fields: theirs.fields.map((field) => t(labels[field as keyof typeof labels])).join(', '),
                })}
                <Button size="xs" variant="default" onClick={theirs.take}>
                  {t('takeTheirs')}
                </Button>
              </Stack>
            </Alert>
          )}
          <WordingFields
            greeting={{
              ...form.getInputProps('greeting_message'),
              value: form.values.greeting_message,
              description: t('greetingHint'),
            }}
            instructions={{ ...form.getInputProps('instructions'), value: form.values.instructions }}
          />
          <Select
            label={t('model')}
            description={t('modelHint')}
            data={choicesOf(models, model_id, lacking)}
            searchable
            allowDeselect={false}
            {...form.getInputProps('model_id')}
          />
          <Select
            label={t('voice')}
            placeholder={t('defaultVoice')}
            data={choicesOf(voicesFor(model_id, models, voices), voice_id, lacking)}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('defaultVoice') }}
            {...form.getInputProps('voice_id')}
          />
          <NumberInput
            label={t('temperature')}
            description={t('temperatureHint')}
            min={0}
            max={2}
            step={0.1}
            decimalScale={2}
            {...form.getInputProps('temperature')}
          />
          <NumberInput
            label={t('maxDuration')}
            description={t('maxDurationHint')}
            min={0}
            max={1800}
            step={30}
            allowDecimal={false}
            {...form.getInputProps('max_call_duration_seconds')}
          />
          <Switch
            label={t('noiseReduction')}
            {...form.getInputProps('enable_noise_reduction', { type: 'checkbox' })}
          />
          <TurnFields form={form} />
          <MannerFields form={form} />
          <Checkbox.Group
            label={t('toolsOfVersion')}
            description={t('toolsOfVersionHint')}
            {...form.getInputProps('functions')}
          >
            <Stack gap="xs" mt="xs">
              {tools.map((tool) => (
                <Checkbox
                  key={tool.id}
                  value={tool.id}
                  label={toolTitle(tool)}
                  description={tool.is_active ? tool.description : t('toolIsOff')}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </FormFrame>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Paper withBorder p="md">
          <Stack align="stretch">
            <Button
              variant="default"
              leftSection={<IconPencil size={18} />}
              onClick={writing.toggle}
              aria-expanded={isWriting}
            >
              {t('haveRewritten')}
            </Button>
            <Collapse expanded={isWriting}>
              <Stack>
                <Text c="dimmed">{t('haveRewrittenHint')}</Text>
                <InstructionsChat onUse={use} />
              </Stack>
            </Collapse>
          </Stack>
        </Paper>
      </Grid.Col>
    </Grid>
  )
}
