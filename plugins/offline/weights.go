package main

// The linear model: what each feature adds to the log odds that a careful
// developer would keep the sentence. The values were set by hand from how
// developers and assistants say things, then moved a little towards labelled
// transcripts, none of which may move them far; see TestEval.

// bias is the log odds of a sentence with no feature.
const bias = -1.92

// cueWeights are those of a cue: anywhere, more if a user says it, more if it
// stands in front.
var cueWeights = [cues][3]float32{
	cMust:     {0.23, 0.51, -0.00},
	cShould:   {0.38, 0.34, 0.01},
	cForbid:   {0.51, 0.50, 0.51},
	cPrefer:   {0.37, 0.50, 0.00},
	cDecide:   {0.64, 0.40, 0.00},
	cCause:    {0.65, 0.10, 0.01},
	cBug:      {0.11, 0.02, -0.01},
	cBehave:   {-0.03, -0.02, -0.01},
	cAlways:   {0.03, 0.25, -0.04},
	cWe:       {0.08, 0.33, 0.01},
	cPlan:     {-0.09, 0.03, 0.01},
	cDone:     {-0.22, 0.02, 0.06},
	cStatus:   {-0.47, 0.02, 0.01},
	cHedge:    {-0.30, 0.02, 0.03},
	cOffer:    {-0.44, 0.02, 0.03},
	cAsk:      {-0.40, -0.49, 0.01},
	cChat:     {-0.56, 0.02, -0.29},
	cExample:  {-0.55, -0.01, -0.00},
	cNow:      {-0.38, 0.02, 0.00},
	cFound:    {0.19, 0.01, -0.02},
	cMeans:    {0.27, -0.01, 0.00},
	cProject:  {0.10, -0.07, 0.02},
	cTooling:  {0.11, 0.00, -0.01},
	cLimit:    {0.54, -0.01, 0.00},
	cDesign:   {0.39, -0.01, 0.02},
	cYou:      {-0.08, 0.02, 0.02},
	cMe:       {-0.17, 0.01, -0.30},
	cTask:     {-0.18, -0.24, -0.57},
	cContrast: {0.02, -0.02, -0.35},
	cNames:    {0.43, 0.02, 0.00},
}

// placeWeights are those of the other features.
var placeWeights = [features]float32{
	fUser:        0.64,
	fBullet:      -0.00,
	fNumbered:    0.11,
	fStrong:      -0.18,
	fTick:        -0.28,
	fCross:       -0.33,
	fLabel:       0.16,
	fLabelCause:  0.69,
	fLabelRule:   0.60,
	fLabelPlan:   -0.71,
	fHeadCause:   0.47,
	fHeadSummary: 0.35,
	fHeadPlan:    -0.37,
	fHeadReview:  -0.27,
	fHeading:     0.29,
	fOneMessage:  0.10,
	fLongMessage: -0.42,
	fPaste:       -0.63,
	fFirst:       0.08,
	fLast:        -0.18,
	fShort:       -0.38,
	fMedium:      0.48,
	fLong:        0.16,
	fVeryLong:    -0.20,
	fCode1:       0.34,
	fCode2:       0.51,
	fName:        0.13,
	fNumber:      -0.09,
	fPath:        0.07,
	fQuoted:      0.02,
	fParen:       0.10,
	fArrow:       -0.24,
	fColon:       0.00,
	fQuestion:    0.06,
	fExclaim:     -0.46,
	fPronoun:     -0.53,
	fSmall:       0.07,
	fFragment:    -0.17,
	fFinal:       0.08,
	fLate:        0.00,
	fThe:         -0.13,
	fNoVerb:      -0.40,
	fRefuted:     -0.47,
}
