/** Built-in music: a quiet broken chord, over and over. */
export const builtInMusic =
  'tone_stream://v=-18;%(450,50,523.25);%(450,50,659.26);%(450,50,783.99);%(450,50,659.26);%(900,1100,587.33,880);loops=-1'
