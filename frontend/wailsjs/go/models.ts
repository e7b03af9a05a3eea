export namespace app {
	
	export class Autostart {
	    supported: boolean;
	    on: boolean;
	    why?: string;
	
	    static createFrom(source: any = {}) {
	        return new Autostart(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.supported = source["supported"];
	        this.on = source["on"];
	        this.why = source["why"];
	    }
	}
	export class FirstRun {
	    needed: boolean;
	    assistants: engine.Assistant[];
	
	    static createFrom(source: any = {}) {
	        return new FirstRun(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.needed = source["needed"];
	        this.assistants = this.convertValues(source["assistants"], engine.Assistant);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Folders {
	    config: string;
	    data: string;
	    cache: string;
	
	    static createFrom(source: any = {}) {
	        return new Folders(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.config = source["config"];
	        this.data = source["data"];
	        this.cache = source["cache"];
	    }
	}
	export class MemorizeRequest {
	    branches: string[];
	    again: boolean;
	    preview: boolean;
	    extractors: string[];
	    unwanted: Record<string, Array<string>>;
	
	    static createFrom(source: any = {}) {
	        return new MemorizeRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.branches = source["branches"];
	        this.again = source["again"];
	        this.preview = source["preview"];
	        this.extractors = source["extractors"];
	        this.unwanted = source["unwanted"];
	    }
	}
	export class Show {
	    root?: string;
	    screen?: string;
	
	    static createFrom(source: any = {}) {
	        return new Show(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.root = source["root"];
	        this.screen = source["screen"];
	    }
	}

}

export namespace engine {
	
	export class Absent {
	    plugin: string;
	    role: string;
	    instead?: string;
	    install: string;
	    drop: string;
	
	    static createFrom(source: any = {}) {
	        return new Absent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.plugin = source["plugin"];
	        this.role = source["role"];
	        this.instead = source["instead"];
	        this.install = source["install"];
	        this.drop = source["drop"];
	    }
	}
	export class Problem {
	    code: string;
	    message: string;
	    hint?: string;
	    detail?: string;
	    exit: number;
	
	    static createFrom(source: any = {}) {
	        return new Problem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.message = source["message"];
	        this.hint = source["hint"];
	        this.detail = source["detail"];
	        this.exit = source["exit"];
	    }
	}
	export class Assistant {
	    name: string;
	    found: boolean;
	    where: string;
	    projects: number;
	    sessions: number;
	    problem?: Problem;
	
	    static createFrom(source: any = {}) {
	        return new Assistant(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.found = source["found"];
	        this.where = source["where"];
	        this.projects = source["projects"];
	        this.sessions = source["sessions"];
	        this.problem = this.convertValues(source["problem"], Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Branch {
	    name: string;
	    current: boolean;
	    sessions: number;
	    turns: number;
	    new_turns: number;
	    items: number;
	    unseen?: number;
	    waiting: number;
	    block_tokens: number;
	    // Go type: time
	    last_active: any;
	    problem?: Problem;
	
	    static createFrom(source: any = {}) {
	        return new Branch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.current = source["current"];
	        this.sessions = source["sessions"];
	        this.turns = source["turns"];
	        this.new_turns = source["new_turns"];
	        this.items = source["items"];
	        this.unseen = source["unseen"];
	        this.waiting = source["waiting"];
	        this.block_tokens = source["block_tokens"];
	        this.last_active = this.convertValues(source["last_active"], null);
	        this.problem = this.convertValues(source["problem"], Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class StaleBlock {
	    path: string;
	    name: string;
	    words: string;
	
	    static createFrom(source: any = {}) {
	        return new StaleBlock(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.name = source["name"];
	        this.words = source["words"];
	    }
	}
	export class BranchReport {
	    branch: string;
	    outcome: string;
	    reason?: string;
	    new_turns: number;
	    items: number;
	    found: number;
	    changes?: memory.Change[];
	    waiting?: number;
	    suggestions?: number;
	    conflicts?: memory.Conflict[];
	    rejected?: memorize.Rejection[];
	    redacted: number;
	    warnings?: string[];
	    duration_ns: number;
	    problem?: Problem;
	    absent?: Absent[];
	    written_blocks?: string[];
	    stale_blocks?: StaleBlock[];
	
	    static createFrom(source: any = {}) {
	        return new BranchReport(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.branch = source["branch"];
	        this.outcome = source["outcome"];
	        this.reason = source["reason"];
	        this.new_turns = source["new_turns"];
	        this.items = source["items"];
	        this.found = source["found"];
	        this.changes = this.convertValues(source["changes"], memory.Change);
	        this.waiting = source["waiting"];
	        this.suggestions = source["suggestions"];
	        this.conflicts = this.convertValues(source["conflicts"], memory.Conflict);
	        this.rejected = this.convertValues(source["rejected"], memorize.Rejection);
	        this.redacted = source["redacted"];
	        this.warnings = source["warnings"];
	        this.duration_ns = source["duration_ns"];
	        this.problem = this.convertValues(source["problem"], Problem);
	        this.absent = this.convertValues(source["absent"], Absent);
	        this.written_blocks = source["written_blocks"];
	        this.stale_blocks = this.convertValues(source["stale_blocks"], StaleBlock);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Cap {
	    calls: number;
	    tokens: number;
	    money: number;
	
	    static createFrom(source: any = {}) {
	        return new Cap(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.calls = source["calls"];
	        this.tokens = source["tokens"];
	        this.money = source["money"];
	    }
	}
	export class ChosenModel {
	    way: string;
	    provider: string;
	    model?: string;
	    address?: string;
	    extractors: string[];
	    missing?: string;
	    aside?: string[];
	
	    static createFrom(source: any = {}) {
	        return new ChosenModel(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.way = source["way"];
	        this.provider = source["provider"];
	        this.model = source["model"];
	        this.address = source["address"];
	        this.extractors = source["extractors"];
	        this.missing = source["missing"];
	        this.aside = source["aside"];
	    }
	}
	export class Claim {
	    kind: string;
	    name: string;
	    value?: any;
	    words: string;
	    long?: boolean;
	    given: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Claim(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.name = source["name"];
	        this.value = source["value"];
	        this.words = source["words"];
	        this.long = source["long"];
	        this.given = source["given"];
	    }
	}
	export class ShownItem {
	    id: string;
	    section: string;
	    content: string;
	    confidence: number;
	    importance?: number;
	    rationale?: string;
	    state: string;
	    superseded_by?: string;
	    why?: string;
	    pinned?: boolean;
	    // Go type: time
	    created: any;
	    // Go type: time
	    updated: any;
	    origins?: memory.Origin[];
	    unseen?: boolean;
	    from?: string;
	
	    static createFrom(source: any = {}) {
	        return new ShownItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.section = source["section"];
	        this.content = source["content"];
	        this.confidence = source["confidence"];
	        this.importance = source["importance"];
	        this.rationale = source["rationale"];
	        this.state = source["state"];
	        this.superseded_by = source["superseded_by"];
	        this.why = source["why"];
	        this.pinned = source["pinned"];
	        this.created = this.convertValues(source["created"], null);
	        this.updated = this.convertValues(source["updated"], null);
	        this.origins = this.convertValues(source["origins"], memory.Origin);
	        this.unseen = source["unseen"];
	        this.from = source["from"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class MemoryView {
	    branch: string;
	    exists: boolean;
	    file?: string;
	    // Go type: time
	    updated: any;
	    sections: memory.Section[];
	    items: ShownItem[];
	    unseen?: number;
	    markdown?: string;
	    damage?: memory.Damage[];
	
	    static createFrom(source: any = {}) {
	        return new MemoryView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.branch = source["branch"];
	        this.exists = source["exists"];
	        this.file = source["file"];
	        this.updated = this.convertValues(source["updated"], null);
	        this.sections = this.convertValues(source["sections"], memory.Section);
	        this.items = this.convertValues(source["items"], ShownItem);
	        this.unseen = source["unseen"];
	        this.markdown = source["markdown"];
	        this.damage = this.convertValues(source["damage"], memory.Damage);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Edited {
	    memory: MemoryView;
	    changes?: memory.Change[];
	    undo: string;
	    warnings?: string[];
	    written_blocks?: string[];
	    stale_blocks?: StaleBlock[];
	
	    static createFrom(source: any = {}) {
	        return new Edited(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.memory = this.convertValues(source["memory"], MemoryView);
	        this.changes = this.convertValues(source["changes"], memory.Change);
	        this.undo = source["undo"];
	        this.warnings = source["warnings"];
	        this.written_blocks = source["written_blocks"];
	        this.stale_blocks = this.convertValues(source["stale_blocks"], StaleBlock);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class GrowthDay {
	    day: string;
	    sections: Record<string, number>;
	
	    static createFrom(source: any = {}) {
	        return new GrowthDay(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.day = source["day"];
	        this.sections = source["sections"];
	    }
	}
	export class Head {
	    state: string;
	    branch: string;
	
	    static createFrom(source: any = {}) {
	        return new Head(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.branch = source["branch"];
	    }
	}
	export class InjectionView {
	    branch: string;
	    head: Head;
	    checked_out: boolean;
	    disabled?: boolean;
	    budget: number;
	    held?: number;
	    absent?: Absent[];
	    block: inject.Block;
	    items: memory.Item[];
	    targets: inject.Result[];
	    standing?: string[];
	
	    static createFrom(source: any = {}) {
	        return new InjectionView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.branch = source["branch"];
	        this.head = this.convertValues(source["head"], Head);
	        this.checked_out = source["checked_out"];
	        this.disabled = source["disabled"];
	        this.budget = source["budget"];
	        this.held = source["held"];
	        this.absent = this.convertValues(source["absent"], Absent);
	        this.block = this.convertValues(source["block"], inject.Block);
	        this.items = this.convertValues(source["items"], memory.Item);
	        this.targets = this.convertValues(source["targets"], inject.Result);
	        this.standing = source["standing"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TriedItem {
	    section: string;
	    content: string;
	    confidence: number;
	    rationale?: string;
	    origin: memory.Origin;
	    known?: string;
	    rejected?: string;
	
	    static createFrom(source: any = {}) {
	        return new TriedItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.section = source["section"];
	        this.content = source["content"];
	        this.confidence = source["confidence"];
	        this.rationale = source["rationale"];
	        this.origin = this.convertValues(source["origin"], memory.Origin);
	        this.known = source["known"];
	        this.rejected = source["rejected"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Tried {
	    branch: string;
	    extractor: string;
	    items: TriedItem[];
	    unread: number;
	    warnings?: string[];
	    log?: plugin.Logged[];
	    took_ns: number;
	    memory_bytes: number;
	    model_calls: number;
	    tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new Tried(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.branch = source["branch"];
	        this.extractor = source["extractor"];
	        this.items = this.convertValues(source["items"], TriedItem);
	        this.unread = source["unread"];
	        this.warnings = source["warnings"];
	        this.log = this.convertValues(source["log"], plugin.Logged);
	        this.took_ns = source["took_ns"];
	        this.memory_bytes = source["memory_bytes"];
	        this.model_calls = source["model_calls"];
	        this.tokens = source["tokens"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Job {
	    id: number;
	    by: string;
	    root: string;
	    project: string;
	    kind: string;
	    state: string;
	    branch?: string;
	    number: number;
	    branches: number;
	    step?: string;
	    plugin?: string;
	    done: number;
	    total: number;
	    // Go type: time
	    started: any;
	    // Go type: time
	    ended: any;
	    reports?: BranchReport[];
	    tried?: Tried;
	    maintained?: maintain.Report;
	    problem?: Problem;
	
	    static createFrom(source: any = {}) {
	        return new Job(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.by = source["by"];
	        this.root = source["root"];
	        this.project = source["project"];
	        this.kind = source["kind"];
	        this.state = source["state"];
	        this.branch = source["branch"];
	        this.number = source["number"];
	        this.branches = source["branches"];
	        this.step = source["step"];
	        this.plugin = source["plugin"];
	        this.done = source["done"];
	        this.total = source["total"];
	        this.started = this.convertValues(source["started"], null);
	        this.ended = this.convertValues(source["ended"], null);
	        this.reports = this.convertValues(source["reports"], BranchReport);
	        this.tried = this.convertValues(source["tried"], Tried);
	        this.maintained = this.convertValues(source["maintained"], maintain.Report);
	        this.problem = this.convertValues(source["problem"], Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ProjectCounts {
	    new_turns: number;
	    items: number;
	    review: number;
	    conflicts: number;
	    asked: number;
	
	    static createFrom(source: any = {}) {
	        return new ProjectCounts(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.new_turns = source["new_turns"];
	        this.items = source["items"];
	        this.review = source["review"];
	        this.conflicts = source["conflicts"];
	        this.asked = source["asked"];
	    }
	}
	export class KnownProject {
	    root: string;
	    name: string;
	    exists: boolean;
	    memory: boolean;
	    assistants: string[];
	    sessions: number;
	    // Go type: time
	    last_active: any;
	    counts?: ProjectCounts;
	
	    static createFrom(source: any = {}) {
	        return new KnownProject(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.root = source["root"];
	        this.name = source["name"];
	        this.exists = source["exists"];
	        this.memory = source["memory"];
	        this.assistants = source["assistants"];
	        this.sessions = source["sessions"];
	        this.last_active = this.convertValues(source["last_active"], null);
	        this.counts = this.convertValues(source["counts"], ProjectCounts);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class LastRun {
	    // Go type: time
	    at: any;
	    branches: number;
	    memorized: number;
	    changes: number;
	    failed: number;
	
	    static createFrom(source: any = {}) {
	        return new LastRun(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = this.convertValues(source["at"], null);
	        this.branches = source["branches"];
	        this.memorized = source["memorized"];
	        this.changes = source["changes"];
	        this.failed = source["failed"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class MaintenanceTask {
	    kind: string;
	    // Go type: time
	    last: any;
	    // Go type: time
	    next: any;
	
	    static createFrom(source: any = {}) {
	        return new MaintenanceTask(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.last = this.convertValues(source["last"], null);
	        this.next = this.convertValues(source["next"], null);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class MaintenanceStatus {
	    enabled: boolean;
	    tasks: MaintenanceTask[];
	    results: maintain.Result[];
	    deferred?: string[];
	    broken?: string;
	
	    static createFrom(source: any = {}) {
	        return new MaintenanceStatus(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.enabled = source["enabled"];
	        this.tasks = this.convertValues(source["tasks"], MaintenanceTask);
	        this.results = this.convertValues(source["results"], maintain.Result);
	        this.deferred = source["deferred"];
	        this.broken = source["broken"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class Message {
	    id: string;
	    role: string;
	    // Go type: time
	    time: any;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Message(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.role = source["role"];
	        this.time = this.convertValues(source["time"], null);
	        this.text = source["text"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ModelPrice {
	    name: string;
	    input: number;
	    output: number;
	
	    static createFrom(source: any = {}) {
	        return new ModelPrice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.input = source["input"];
	        this.output = source["output"];
	    }
	}
	export class ModelPrices {
	    date: string;
	    default?: string;
	    models: ModelPrice[];
	    price?: ledger.Price;
	
	    static createFrom(source: any = {}) {
	        return new ModelPrices(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.date = source["date"];
	        this.default = source["default"];
	        this.models = this.convertValues(source["models"], ModelPrice);
	        this.price = this.convertValues(source["price"], ledger.Price);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ModelTest {
	    provider: string;
	    model: string;
	    input_tokens: number;
	    output_tokens: number;
	    took_ns: number;
	
	    static createFrom(source: any = {}) {
	        return new ModelTest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.provider = source["provider"];
	        this.model = source["model"];
	        this.input_tokens = source["input_tokens"];
	        this.output_tokens = source["output_tokens"];
	        this.took_ns = source["took_ns"];
	    }
	}
	export class ModelWay {
	    name: string;
	    provider: string;
	    model?: string;
	    address?: string;
	    ready: boolean;
	    found?: string;
	    missing?: string;
	    models?: string[];
	    sessions: number;
	    requests: number;
	    input_tokens: number;
	    output_tokens: number;
	    sampled?: boolean;
	    money: number;
	    priced: boolean;
	    subscription: boolean;
	    days: number;
	
	    static createFrom(source: any = {}) {
	        return new ModelWay(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.provider = source["provider"];
	        this.model = source["model"];
	        this.address = source["address"];
	        this.ready = source["ready"];
	        this.found = source["found"];
	        this.missing = source["missing"];
	        this.models = source["models"];
	        this.sessions = source["sessions"];
	        this.requests = source["requests"];
	        this.input_tokens = source["input_tokens"];
	        this.output_tokens = source["output_tokens"];
	        this.sampled = source["sampled"];
	        this.money = source["money"];
	        this.priced = source["priced"];
	        this.subscription = source["subscription"];
	        this.days = source["days"];
	    }
	}
	export class ModelWays {
	    current: string;
	    chosen: boolean;
	    prices: string;
	    ways: ModelWay[];
	
	    static createFrom(source: any = {}) {
	        return new ModelWays(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.current = source["current"];
	        this.chosen = source["chosen"];
	        this.prices = source["prices"];
	        this.ways = this.convertValues(source["ways"], ModelWay);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PendingView {
	    version: string;
	    sha256: string;
	    powers: plugin.Power[];
	    more?: string[];
	
	    static createFrom(source: any = {}) {
	        return new PendingView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.sha256 = source["sha256"];
	        this.powers = this.convertValues(source["powers"], plugin.Power);
	        this.more = source["more"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Turn {
	    id: string;
	    session: string;
	    source: string;
	    branch: string;
	    // Go type: time
	    time: any;
	    messages: Message[];
	
	    static createFrom(source: any = {}) {
	        return new Turn(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.session = source["session"];
	        this.source = source["source"];
	        this.branch = source["branch"];
	        this.time = this.convertValues(source["time"], null);
	        this.messages = this.convertValues(source["messages"], Message);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Place {
	    origin: memory.Origin;
	    title?: string;
	    cited: string[];
	    turns: Turn[];
	    missing?: string;
	    archived?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Place(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.origin = this.convertValues(source["origin"], memory.Origin);
	        this.title = source["title"];
	        this.cited = source["cited"];
	        this.turns = this.convertValues(source["turns"], Turn);
	        this.missing = source["missing"];
	        this.archived = source["archived"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PluginUse {
	    root?: string;
	    file: string;
	    roles: string[];
	
	    static createFrom(source: any = {}) {
	        return new PluginUse(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.root = source["root"];
	        this.file = source["file"];
	        this.roles = source["roles"];
	    }
	}
	export class PluginView {
	    id: string;
	    name: string;
	    version: string;
	    description: string;
	    license?: string;
	    homepage?: string;
	    roles: string[];
	    built_in: boolean;
	    approved: boolean;
	    disabled: boolean;
	    paused?: string;
	    powers: plugin.Power[];
	    pending?: PendingView;
	    used_as: string[];
	    schema?: number[];
	    config?: number[];
	    limits: plugin.Limits;
	    metrics: plugin.Metrics;
	
	    static createFrom(source: any = {}) {
	        return new PluginView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.version = source["version"];
	        this.description = source["description"];
	        this.license = source["license"];
	        this.homepage = source["homepage"];
	        this.roles = source["roles"];
	        this.built_in = source["built_in"];
	        this.approved = source["approved"];
	        this.disabled = source["disabled"];
	        this.paused = source["paused"];
	        this.powers = this.convertValues(source["powers"], plugin.Power);
	        this.pending = this.convertValues(source["pending"], PendingView);
	        this.used_as = source["used_as"];
	        this.schema = source["schema"];
	        this.config = source["config"];
	        this.limits = this.convertValues(source["limits"], plugin.Limits);
	        this.metrics = this.convertValues(source["metrics"], plugin.Metrics);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PluginsView {
	    plugins: PluginView[];
	    problems?: string[];
	    absent?: Absent[];
	
	    static createFrom(source: any = {}) {
	        return new PluginsView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.plugins = this.convertValues(source["plugins"], PluginView);
	        this.problems = source["problems"];
	        this.absent = this.convertValues(source["absent"], Absent);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class Resolved {
	    id: string;
	    // Go type: time
	    createdAt: any;
	    status: string;
	    branch: string;
	    category: string;
	    why?: string;
	    items: memory.Side[];
	    resolution: memory.Resolution;
	    undo: string;
	
	    static createFrom(source: any = {}) {
	        return new Resolved(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.createdAt = this.convertValues(source["createdAt"], null);
	        this.status = source["status"];
	        this.branch = source["branch"];
	        this.category = source["category"];
	        this.why = source["why"];
	        this.items = this.convertValues(source["items"], memory.Side);
	        this.resolution = this.convertValues(source["resolution"], memory.Resolution);
	        this.undo = source["undo"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Reviewed {
	    left: memory.Proposed[];
	    undo: string;
	    stale: string[];
	    written_blocks?: string[];
	    stale_blocks?: StaleBlock[];
	
	    static createFrom(source: any = {}) {
	        return new Reviewed(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.left = this.convertValues(source["left"], memory.Proposed);
	        this.undo = source["undo"];
	        this.stale = source["stale"];
	        this.written_blocks = source["written_blocks"];
	        this.stale_blocks = this.convertValues(source["stale_blocks"], StaleBlock);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SectionCount {
	    id: string;
	    heading: string;
	    items: number;
	
	    static createFrom(source: any = {}) {
	        return new SectionCount(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.heading = source["heading"];
	        this.items = source["items"];
	    }
	}
	export class ServiceStatus {
	    running: boolean;
	    paused: boolean;
	    version?: string;
	
	    static createFrom(source: any = {}) {
	        return new ServiceStatus(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.running = source["running"];
	        this.paused = source["paused"];
	        this.version = source["version"];
	    }
	}
	export class SessionTurns {
	    session: string;
	    title: string;
	    source: string;
	    total: number;
	    from: number;
	    turns: Turn[];
	    archived?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new SessionTurns(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.session = source["session"];
	        this.title = source["title"];
	        this.source = source["source"];
	        this.total = source["total"];
	        this.from = source["from"];
	        this.turns = this.convertValues(source["turns"], Turn);
	        this.archived = source["archived"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SettingView {
	    key: string;
	    kind: string;
	    choices?: string[];
	    min?: number;
	    max?: number;
	    doc: string;
	    project: string;
	    value: any;
	    from: string;
	    asked?: number[];
	
	    static createFrom(source: any = {}) {
	        return new SettingView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.key = source["key"];
	        this.kind = source["kind"];
	        this.choices = source["choices"];
	        this.min = source["min"];
	        this.max = source["max"];
	        this.doc = source["doc"];
	        this.project = source["project"];
	        this.value = source["value"];
	        this.from = source["from"];
	        this.asked = source["asked"];
	    }
	}
	
	export class SourceOf {
	    item: memory.Item;
	    places: Place[];
	
	    static createFrom(source: any = {}) {
	        return new SourceOf(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.item = this.convertValues(source["item"], memory.Item);
	        this.places = this.convertValues(source["places"], Place);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Spend {
	    day: string;
	    calls: number;
	    tokens: number;
	    money: number;
	    unpriced: number;
	
	    static createFrom(source: any = {}) {
	        return new Spend(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.day = source["day"];
	        this.calls = source["calls"];
	        this.tokens = source["tokens"];
	        this.money = source["money"];
	        this.unpriced = source["unpriced"];
	    }
	}
	
	export class Stats {
	    items: number;
	    sessions: number;
	    turns: number;
	    turns_read: number;
	    branches: number;
	    // Go type: time
	    last_memorized: any;
	    // Go type: time
	    next_maintenance: any;
	    growth: GrowthDay[];
	    sections: SectionCount[];
	    confidence: number[];
	    spend: Spend[];
	    cap: Cap;
	    left_today?: string;
	
	    static createFrom(source: any = {}) {
	        return new Stats(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.items = source["items"];
	        this.sessions = source["sessions"];
	        this.turns = source["turns"];
	        this.turns_read = source["turns_read"];
	        this.branches = source["branches"];
	        this.last_memorized = this.convertValues(source["last_memorized"], null);
	        this.next_maintenance = this.convertValues(source["next_maintenance"], null);
	        this.growth = this.convertValues(source["growth"], GrowthDay);
	        this.sections = this.convertValues(source["sections"], SectionCount);
	        this.confidence = source["confidence"];
	        this.spend = this.convertValues(source["spend"], Spend);
	        this.cap = this.convertValues(source["cap"], Cap);
	        this.left_today = source["left_today"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Status {
	    state: string;
	    sentence: string;
	    head: Head;
	    problem?: Problem;
	    new_turns: number;
	    review: number;
	    suggestions: number;
	    conflicts: number;
	    plugins: number;
	    damage: number;
	    absent?: Absent[];
	    asked: number;
	    trusted: number;
	    left_aside?: string[];
	    last?: LastRun;
	    unseen: number;
	    stale_blocks?: StaleBlock[];
	    held?: string;
	    left_today?: string;
	    maintenance?: MaintenanceStatus;
	    service: ServiceStatus;
	    version: string;
	
	    static createFrom(source: any = {}) {
	        return new Status(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.sentence = source["sentence"];
	        this.head = this.convertValues(source["head"], Head);
	        this.problem = this.convertValues(source["problem"], Problem);
	        this.new_turns = source["new_turns"];
	        this.review = source["review"];
	        this.suggestions = source["suggestions"];
	        this.conflicts = source["conflicts"];
	        this.plugins = source["plugins"];
	        this.damage = source["damage"];
	        this.absent = this.convertValues(source["absent"], Absent);
	        this.asked = source["asked"];
	        this.trusted = source["trusted"];
	        this.left_aside = source["left_aside"];
	        this.last = this.convertValues(source["last"], LastRun);
	        this.unseen = source["unseen"];
	        this.stale_blocks = this.convertValues(source["stale_blocks"], StaleBlock);
	        this.held = source["held"];
	        this.left_today = source["left_today"];
	        this.maintenance = this.convertValues(source["maintenance"], MaintenanceStatus);
	        this.service = this.convertValues(source["service"], ServiceStatus);
	        this.version = source["version"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class Trust {
	    root: string;
	    status: string;
	    digest: string;
	    claims: Claim[];
	    // Go type: time
	    at: any;
	
	    static createFrom(source: any = {}) {
	        return new Trust(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.root = source["root"];
	        this.status = source["status"];
	        this.digest = source["digest"];
	        this.claims = this.convertValues(source["claims"], Claim);
	        this.at = this.convertValues(source["at"], null);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace inject {
	
	export class Left {
	    id: string;
	    reason: string;
	    by?: string;
	    why?: string;
	    needs?: number;
	
	    static createFrom(source: any = {}) {
	        return new Left(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.reason = source["reason"];
	        this.by = source["by"];
	        this.why = source["why"];
	        this.needs = source["needs"];
	    }
	}
	export class Shown {
	    id: string;
	    section: string;
	    why?: string;
	
	    static createFrom(source: any = {}) {
	        return new Shown(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.section = source["section"];
	        this.why = source["why"];
	    }
	}
	export class Block {
	    kind: string;
	    text: string;
	    tokens: number;
	    shown: Shown[];
	    left: Left[];
	    order?: string[];
	    shares?: Record<string, number>;
	    full?: number;
	
	    static createFrom(source: any = {}) {
	        return new Block(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.tokens = source["tokens"];
	        this.shown = this.convertValues(source["shown"], Shown);
	        this.left = this.convertValues(source["left"], Left);
	        this.order = source["order"];
	        this.shares = source["shares"];
	        this.full = source["full"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Result {
	    path: string;
	    name?: string;
	    file?: string;
	    outcome: string;
	    reason?: string;
	    lines?: number[];
	    created?: boolean;
	    deleted?: boolean;
	    diff?: string;
	    before?: string;
	    after?: string;
	
	    static createFrom(source: any = {}) {
	        return new Result(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.name = source["name"];
	        this.file = source["file"];
	        this.outcome = source["outcome"];
	        this.reason = source["reason"];
	        this.lines = source["lines"];
	        this.created = source["created"];
	        this.deleted = source["deleted"];
	        this.diff = source["diff"];
	        this.before = source["before"];
	        this.after = source["after"];
	    }
	}

}

export namespace keyring {
	
	export class State {
	    place: string;
	    name?: string;
	    has_key: boolean;
	    for?: string;
	    problem?: string;
	    fix?: string;
	    notice?: string;
	
	    static createFrom(source: any = {}) {
	        return new State(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.place = source["place"];
	        this.name = source["name"];
	        this.has_key = source["has_key"];
	        this.for = source["for"];
	        this.problem = source["problem"];
	        this.fix = source["fix"];
	        this.notice = source["notice"];
	    }
	}
	export class Status {
	    provider: string;
	    for: string;
	    place: string;
	    name?: string;
	    looked: State[];
	
	    static createFrom(source: any = {}) {
	        return new Status(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.provider = source["provider"];
	        this.for = source["for"];
	        this.place = source["place"];
	        this.name = source["name"];
	        this.looked = this.convertValues(source["looked"], State);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace ledger {
	
	export class Price {
	    input: number;
	    output: number;
	
	    static createFrom(source: any = {}) {
	        return new Price(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.input = source["input"];
	        this.output = source["output"];
	    }
	}

}

export namespace maintain {
	
	export class Part {
	    kind: string;
	    name: string;
	    outcome: string;
	    words: string;
	    branches: number;
	    changes: number;
	    conflicts?: number;
	    changed?: string[];
	    deferred?: string[];
	    notes?: string[];
	    errors?: string[];
	
	    static createFrom(source: any = {}) {
	        return new Part(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.name = source["name"];
	        this.outcome = source["outcome"];
	        this.words = source["words"];
	        this.branches = source["branches"];
	        this.changes = source["changes"];
	        this.conflicts = source["conflicts"];
	        this.changed = source["changed"];
	        this.deferred = source["deferred"];
	        this.notes = source["notes"];
	        this.errors = source["errors"];
	    }
	}
	export class Report {
	    kind: string;
	    dry_run?: boolean;
	    // Go type: time
	    started: any;
	    // Go type: time
	    ended: any;
	    outcome: string;
	    parts: Part[];
	    log_aside?: string;
	
	    static createFrom(source: any = {}) {
	        return new Report(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.dry_run = source["dry_run"];
	        this.started = this.convertValues(source["started"], null);
	        this.ended = this.convertValues(source["ended"], null);
	        this.outcome = source["outcome"];
	        this.parts = this.convertValues(source["parts"], Part);
	        this.log_aside = source["log_aside"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Result {
	    kind: string;
	    // Go type: time
	    at: any;
	    outcome: string;
	    words: string;
	    deferred?: string[];
	
	    static createFrom(source: any = {}) {
	        return new Result(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.at = this.convertValues(source["at"], null);
	        this.outcome = source["outcome"];
	        this.words = source["words"];
	        this.deferred = source["deferred"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace memory {
	
	export class Change {
	    action: string;
	    id: string;
	    section: string;
	    content: string;
	    why?: string;
	    by?: string;
	
	    static createFrom(source: any = {}) {
	        return new Change(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.action = source["action"];
	        this.id = source["id"];
	        this.section = source["section"];
	        this.content = source["content"];
	        this.why = source["why"];
	        this.by = source["by"];
	    }
	}
	export class Resolution {
	    status: string;
	    decision?: string;
	    reasoningNotes?: string;
	    // Go type: time
	    resolvedAt?: any;
	
	    static createFrom(source: any = {}) {
	        return new Resolution(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.status = source["status"];
	        this.decision = source["decision"];
	        this.reasoningNotes = source["reasoningNotes"];
	        this.resolvedAt = this.convertValues(source["resolvedAt"], null);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Origin {
	    extractor: string;
	    source?: string;
	    session?: string;
	    records?: string[];
	    // Go type: time
	    time: any;
	
	    static createFrom(source: any = {}) {
	        return new Origin(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.extractor = source["extractor"];
	        this.source = source["source"];
	        this.session = source["session"];
	        this.records = source["records"];
	        this.time = this.convertValues(source["time"], null);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Side {
	    itemId?: string;
	    content: string;
	    confidence: number;
	    // Go type: time
	    extractedAt: any;
	    origin?: Origin;
	
	    static createFrom(source: any = {}) {
	        return new Side(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.itemId = source["itemId"];
	        this.content = source["content"];
	        this.confidence = source["confidence"];
	        this.extractedAt = this.convertValues(source["extractedAt"], null);
	        this.origin = this.convertValues(source["origin"], Origin);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ConflictRecord {
	    id: string;
	    // Go type: time
	    createdAt: any;
	    status: string;
	    branch: string;
	    category: string;
	    why?: string;
	    items: Side[];
	    resolution: Resolution;
	
	    static createFrom(source: any = {}) {
	        return new ConflictRecord(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.createdAt = this.convertValues(source["createdAt"], null);
	        this.status = source["status"];
	        this.branch = source["branch"];
	        this.category = source["category"];
	        this.why = source["why"];
	        this.items = this.convertValues(source["items"], Side);
	        this.resolution = this.convertValues(source["resolution"], Resolution);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Damage {
	    file: string;
	    line: number;
	    why: string;
	    marks?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Damage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.file = source["file"];
	        this.line = source["line"];
	        this.why = source["why"];
	        this.marks = source["marks"];
	    }
	}
	export class Item {
	    id: string;
	    section: string;
	    content: string;
	    confidence: number;
	    importance?: number;
	    rationale?: string;
	    state: string;
	    superseded_by?: string;
	    why?: string;
	    pinned?: boolean;
	    // Go type: time
	    created: any;
	    // Go type: time
	    updated: any;
	    origins?: Origin[];
	
	    static createFrom(source: any = {}) {
	        return new Item(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.section = source["section"];
	        this.content = source["content"];
	        this.confidence = source["confidence"];
	        this.importance = source["importance"];
	        this.rationale = source["rationale"];
	        this.state = source["state"];
	        this.superseded_by = source["superseded_by"];
	        this.why = source["why"];
	        this.pinned = source["pinned"];
	        this.created = this.convertValues(source["created"], null);
	        this.updated = this.convertValues(source["updated"], null);
	        this.origins = this.convertValues(source["origins"], Origin);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Proposed {
	    id: string;
	    branch: string;
	    action: string;
	    section: string;
	    content: string;
	    before?: string;
	    confidence: number;
	    rationale?: string;
	    why?: string;
	    origins?: Origin[];
	    // Go type: time
	    created: any;
	    suggestion?: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Proposed(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.branch = source["branch"];
	        this.action = source["action"];
	        this.section = source["section"];
	        this.content = source["content"];
	        this.before = source["before"];
	        this.confidence = source["confidence"];
	        this.rationale = source["rationale"];
	        this.why = source["why"];
	        this.origins = this.convertValues(source["origins"], Origin);
	        this.created = this.convertValues(source["created"], null);
	        this.suggestion = source["suggestion"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Section {
	    id: string;
	    heading: string;
	    guidance?: string;
	
	    static createFrom(source: any = {}) {
	        return new Section(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.heading = source["heading"];
	        this.guidance = source["guidance"];
	    }
	}
	
	export class Verdict {
	    id: string;
	    accept: boolean;
	    content?: string;
	    section?: string;
	
	    static createFrom(source: any = {}) {
	        return new Verdict(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.accept = source["accept"];
	        this.content = source["content"];
	        this.section = source["section"];
	    }
	}
	export class Version {
	    id: string;
	    // Go type: time
	    saved: any;
	    items: number;
	    current: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Version(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.saved = this.convertValues(source["saved"], null);
	        this.items = source["items"];
	        this.current = source["current"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace plugin {
	
	export class Limits {
	    memory_bytes: number;
	    wall_ns: number;
	    fuel: number;
	    host_calls: number;
	    model_calls: number;
	    request_bytes: number;
	    reply_bytes: number;
	    log_bytes: number;
	
	    static createFrom(source: any = {}) {
	        return new Limits(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.memory_bytes = source["memory_bytes"];
	        this.wall_ns = source["wall_ns"];
	        this.fuel = source["fuel"];
	        this.host_calls = source["host_calls"];
	        this.model_calls = source["model_calls"];
	        this.request_bytes = source["request_bytes"];
	        this.reply_bytes = source["reply_bytes"];
	        this.log_bytes = source["log_bytes"];
	    }
	}
	export class Logged {
	    // Go type: time
	    time: any;
	    level: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Logged(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.time = this.convertValues(source["time"], null);
	        this.level = source["level"];
	        this.text = source["text"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Metrics {
	    // Go type: time
	    since: any;
	    calls: number;
	    faults: number;
	    guest_ns: number;
	    host_ns: number;
	    host_calls: number;
	    model_calls: number;
	    fuel: number;
	    memory_bytes: number;
	    load_ns: number;
	    last_fault?: string;
	    paused?: string;
	
	    static createFrom(source: any = {}) {
	        return new Metrics(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.since = this.convertValues(source["since"], null);
	        this.calls = source["calls"];
	        this.faults = source["faults"];
	        this.guest_ns = source["guest_ns"];
	        this.host_ns = source["host_ns"];
	        this.host_calls = source["host_calls"];
	        this.model_calls = source["model_calls"];
	        this.fuel = source["fuel"];
	        this.memory_bytes = source["memory_bytes"];
	        this.load_ns = source["load_ns"];
	        this.last_fault = source["last_fault"];
	        this.paused = source["paused"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Power {
	    capability: string;
	    words: string;
	    grave: boolean;
	    reason?: string;
	
	    static createFrom(source: any = {}) {
	        return new Power(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.capability = source["capability"];
	        this.words = source["words"];
	        this.grave = source["grave"];
	        this.reason = source["reason"];
	    }
	}

}
