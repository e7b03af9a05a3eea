package main

// cueNames and placeNames say what a feature is, to a person who asks why a
// sentence was kept or refused.
var cueNames = [cues]string{
	cMust: "must", cShould: "should", cForbid: "forbids", cPrefer: "prefers", cDecide: "decides", cCause: "gives a cause", cBug: "tells of a fault",
	cBehave: "says what is", cAlways: "speaks of every case", cWe: "we", cPlan: "announces", cDone: "tells what was done", cStatus: "tells how it stands",
	cHedge: "is not sure", cOffer: "offers", cAsk: "asks", cChat: "small talk", cExample: "gives an example", cNow: "of now", cFound: "a finding",
	cMeans: "says what follows", cProject: "of the project", cTooling: "of tools", cLimit: "tells a limit", cDesign: "of the design", cYou: "you", cMe: "I",
	cTask: "an order", cContrast: "a contrast", cNames: "names things", cNeed: "needs", cMoment: "of the moment", cWhere: "says where",
}

var placeNames = [features]string{
	fUser: "said by the person", fNumbered: "numbered", fStrong: "in bold", fTick: "ticked off", fCross: "crossed out", fLabel: "has a label",
	fLabelCause: "labelled as a cause", fLabelRule: "labelled as a rule", fLabelPlan: "labelled as a plan", fHeadCause: "under causes", fHeadSummary: "in a summary",
	fHeadPlan: "under plans", fHeadReview: "in a review", fHeading: "under a heading", fOneMessage: "a message of its own", fLongMessage: "in a long message",
	fPaste: "in pasted text", fFirst: "first of its paragraph", fLast: "last of its paragraph", fShort: "short", fMedium: "of medium length", fLong: "long",
	fVeryLong: "very long", fCode1: "names code", fCode2: "names code more than once", fName: "has a name", fPath: "has a path", fParen: "has brackets",
	fArrow: "has an arrow", fExclaim: "exclaims", fPronoun: "begins with a pronoun", fSmall: "small letters", fFragment: "a fragment", fFinal: "in the last word of an answer",
	fThe: "begins with the", fNoVerb: "no verb", fRefuted: "taken back by the next message", fRetired: "names what was taken out of use", fIssue: "has an issue's number",
	fLine: "has a line's number", fAddress: "has an address", fDeclares: "declares", fManual: "a page of documentation", fAsked: "asked to be remembered",
	fRule: "a person's rule", fPlain: "states plainly", fGoing: "going on", fHeadless: "no subject",
}
