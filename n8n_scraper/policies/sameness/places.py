"""What is known of places: other names of venues and cities, and the words that many venues have.

All of it is data, written as `words.plain` gives it; a line more is all that another name takes.
"""

from __future__ import annotations

from typing import Final

CITIES: Final = (
    ("hong kong", "hongkong", "hk", "hksar", "香港"),
    ("macau", "macao", "澳門"),
    ("shenzhen", "深圳"),
    ("guangzhou", "廣州"),
    ("zhuhai", "珠海"),
    ("foshan", "佛山"),
    ("beijing", "北京"),
    ("shanghai", "上海"),
    ("taipei", "台北"),
    ("kaohsiung", "高雄"),
    ("singapore", "新加坡"),
    ("tokyo", "東京"),
    ("osaka", "大阪"),
    ("seoul", "首爾"),
    ("bangkok", "曼谷"),
    ("kuala lumpur", "吉隆坡"),
    ("london", "倫敦"),
)
"""Each with its other names; the first stands for all."""

PARTS_OF_CITIES: Final = {
    **dict.fromkeys(("kowloon", "九龍", "new territories", "新界"), "hong kong"),
    **dict.fromkeys(("cotai", "taipa", "coloane", "路氹", "氹仔", "路環"), "macau"),
}
"""The city of each; beside that, its name tells venues apart."""

VENUES: Final = (
    ("hong kong coliseum", "hk coliseum", "香港體育館", "紅磡體育館", "紅館"),
    ("queen elizabeth stadium", "伊利沙伯體育館"),
    ("asiaworld expo", "asia world expo", "亞洲國際博覽館", "亞博館"),
    ("hong kong convention and exhibition centre", "hkcec", "香港會議展覽中心", "會展"),
    ("hong kong cultural centre", "香港文化中心"),
    ("hong kong city hall", "香港大會堂"),
    ("kai tak stadium", "啟德主場館"),
    ("xiqu centre", "戲曲中心"),
    ("freespace", "自由空間"),
    ("macao cultural centre", "macau cultural centre", "澳門文化中心"),
    ("galaxy arena", "銀河綜藝館"),
    ("broadway theatre", "百老匯舞台"),
    ("venetian arena", "the venetian arena", "cotai arena", "威尼斯人綜藝館", "金光綜藝館"),
    ("venetian theatre", "the venetian theatre", "威尼斯人劇場"),
    ("londoner arena", "the londoner arena", "倫敦人綜藝館"),
    ("londoner theatre", "the londoner theatre", "倫敦人劇場"),
    ("parisian theatre", "the parisian theatre", "巴黎人劇場"),
    ("studio city event center", "studio city event centre", "新濠影匯綜藝館"),
    ("mgm theater", "mgm theatre", "mgm cotai theater", "美獅美高梅劇院"),
)
"""Each with its other names; the first stands for all."""

SPELLINGS: Final = {"theater": "theatre", "center": "centre", "centro": "centre"}
"""Words of venues that are written in two ways."""

_USUAL = (
    "academy and arena art arts at auditorium ballroom building centre chamber church city civic "
    "club community complex concert convention court cultural event exhibition expo floor foyer "
    "gallery garden grand ground hall hotel house in indoor lecture library main multi museum "
    "music of office open park pavilion piazza plaza podium public purpose recital resort room "
    "school space sports square stadium stage studio the theatre town university"
)
USUAL_WORDS: Final = frozenset(_USUAL.split())
"""Words that many venues have: two venues that share no other are seldom the same."""

USUAL_WORDS_OF_HAN: Final = (
    *("公共圖書館", "文娛中心", "文化中心", "展覽中心", "社區會堂", "體育館", "圖書館", "大會堂"),
    *("博物館", "音樂廳", "演奏廳", "展覽廳", "演講廳", "文化館", "綜藝館", "大劇院", "美術館"),
    *(
        "歌劇院",
        "劇院",
        "劇場",
        "劇廳",
        "禮堂",
        "廣場",
        "公園",
        "中心",
        "大堂",
        "酒店",
        "會堂",
        "舞台",
    ),
)
"""The same of Chinese, the longer ones first."""
